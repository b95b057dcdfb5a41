import { expect, test } from "vitest";
import { epochMillis, millis, minutes } from "#base/units";
import { unreachedNotice } from "#service/operator/monitors/check-now";
import type { PicturedLocation, Sight } from "#service/operator/picture";

const at = epochMillis(Date.parse("2026-08-12T14:03:22Z"));
const place = (id: number, name: string, changes: Partial<PicturedLocation>): PicturedLocation => ({
  id,
  name,
  state: { status: "active", message: "", refused: null },
  lastSeenAt: at,
  monitors: 1,
  owner: "",
  incident: null,
  ...changes,
});
const silent = { state: { status: "error", message: "", refused: null } } as const;
const sight = (location: number): Sight => ({
  location,
  name: "",
  status: "unknown",
  slot: null,
  since: null,
  stale: true,
});

/** What the page says of a check that no agent of these locations ran. */
function wordsFor(notice: string, locations: readonly PicturedLocation[]): string | null {
  const monitor = { seenBy: locations.map(({ id }) => sight(id)), period: millis(minutes(1)) };
  const query = new URLSearchParams({ notice });
  const said = unreachedNotice(query, monitor, [...locations, place(9, "elsewhere", silent)]);
  if (said === null) return null;
  expect(said).toMatchObject({ isFault: false, isDoubtful: true });
  const words = typeof said.words === "string" ? said.words : said.words.text;
  return words.replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
}

test("a check that no agent could run says which one has been silent since when, and what to do", () => {
  const office = place(1, "office", silent);
  expect(wordsFor("unconnected", [office])).toBe(
    "Nothing was checked: the agent of office has been silent since 12 Aug, 14:03:22 UTC. Start it there again: its page has the command. Then try again.",
  );
  expect(wordsFor("unconnected", [place(2, "berlin", {}), office])).toMatch(
    /the agent of office has been silent .* That of the other location is not connected, either\./,
  );
  expect(wordsFor("unconnected", [place(1, "office", { lastSeenAt: null, ...silent })])).toMatch(
    /no agent has come to office yet\. Start one with the command/,
  );
  expect(wordsFor("unconnected", [place(1, "office", {})])).toMatch(
    /the agent of office is not connected now\. It last reported at 12 Aug, 14:03:22 UTC\. .* checks by itself every 1 min/,
  );
});

test("a check without an answer names the agent, one of a monitor that runs nowhere its form, and any other notice is another's", () => {
  expect(wordsFor("unanswered", [place(1, "office", {})])).toMatch(
    /the agent of office did not answer in time/,
  );
  expect(wordsFor("unconnected", [])).toMatch(/runs at no location\. Choose one in its form/);
  expect(wordsFor("checked", [place(1, "office", {})])).toBeNull();
});
