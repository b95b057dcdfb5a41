import { expect, test } from "vitest";
import { Judgement } from "#agent/checks/judgement";
import type { VantageJudgement } from "#agent/looks/vantage-judgement";
import { failure } from "#check/failure";
import { decidedOf } from "#agent/prober/checks/decided-check";
import { epochMillis } from "#base/units";
import { resultWith } from "../../support/results.ts";
import { monitorWith } from "../../support/twins.ts";

test("what passed is passed on at once, but not before waiting results of the same monitor", async () => {
  const waits: (() => void)[] = [];
  const passed: string[] = [];
  const judgement = new Judgement({
    vantage: {
      judge: (result) => {
        const judged: VantageJudgement = { is: "reported", result, evidence: "none" };
        if (result.failure === null) return judged;
        return new Promise((resolve) => waits.push(() => resolve(judged)));
      },
    },
    sinks: [({ result }) => passed.push(`${result.monitorId} ${result.slot}`)],
    hidden: () => {},
  });
  const take = (monitorId: string, slot: number, status: "success" | "error"): void => {
    const refused = failure("connection_refused", "connect", "refused");
    const seen = status === "error" ? refused : null;
    const result = resultWith({ monitorId, slot: epochMillis(slot), status, failure: seen });
    const monitor = monitorWith({ id: monitorId });
    judgement.take(decidedOf(result, { monitor, due: epochMillis(slot) }));
  };
  take("a", 1, "success");
  take("b", 1, "error");
  take("b", 2, "success");
  take("a", 2, "success");
  expect(passed).toEqual(["a 1", "a 2"]);
  for (const end of waits) end();
  await judgement.settled();
  expect(passed).toEqual(["a 1", "a 2", "b 1", "b 2"]);
  take("b", 3, "success");
  expect(passed.at(-1)).toBe("b 3");
});
