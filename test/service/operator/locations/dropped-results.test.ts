import { expect, test } from "vitest";
import { saidBy } from "#service/agents/instances";
import { droppedLines } from "#service/operator/locations/dropped-results";
import { storedAgent } from "../../../support/stored-agent.ts";

const wordsOf = (counts: Partial<ReturnType<typeof storedAgent>["report"]>): string => {
  const agent = storedAgent("office-1", "share");
  const lines = droppedLines([
    { ...agent, report: { ...agent.report, ...counts } },
    storedAgent("office-2", "share"),
  ]);
  return (lines?.text ?? "")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/[ \n]+/g, " ")
    .trim();
};

test("results that an agent dropped have their reasons below the table of agents, as far as it says them", () => {
  expect(wordsOf({})).toBe("");
  expect(wordsOf({ resultsRejected: 1, resultsUnassigned: 1 })).toBe(
    "office-1 dropped 1 result since it started: 1 came after the monitor was taken from this location. The log of the agent has the monitor and the reason of those that the service rejected or failed on.",
  );
  expect(
    wordsOf({
      resultsGivenUp: 1_206,
      resultsGivenUpAge: 200,
      resultsGivenUpRoom: 1_000,
      resultsRejected: 5,
      resultsUnassigned: 2,
    }),
  ).toContain(
    "office-1 dropped 1\u202f211 results since it started: 200 waited for the service for longer than the agent keeps results; 1\u202f000 gave way to newer ones, because the room for waiting results was full; 6 could not be read from its disk again, or the service failed on them each time; 2 came after the monitor was taken from this location; the service rejected 3.",
  );
});

test("results that an agent dropped before their reasons were kept have none", () => {
  expect(wordsOf({ resultsGivenUp: 3, resultsGivenUpAge: null, resultsGivenUpRoom: null })).toMatch(
    /^office-1 dropped 3 results since it started\. The log/,
  );
  const { report } = storedAgent("office-1", "share");
  const { resultsGivenUpAge: _age, resultsGivenUpRoom: _room, ...older } = report;
  expect(saidBy({ report: JSON.parse(JSON.stringify(older)) })).toMatchObject({
    resultsGivenUpAge: null,
    resultsGivenUpRoom: null,
  });
});
