import { expect, test } from "vitest";
import type { Html } from "#web/page/html";
import { conditionView } from "#service/operator/condition-view";
import { epochMillis } from "#base/units";
import { storedAgent } from "../../support/stored-agent.ts";

const at = epochMillis(Date.UTC(2026, 7, 12, 12));
const gone = {
  scope: "gateway",
  subject: "10.0.0.1",
  causeId: "c1",
  sentence: "the gateway <10.0.0.1> does not answer",
  since: epochMillis(at - 600_000),
  affected: 3,
  recovering: false,
  place: null,
} as const;
const textOf = (html: Html | null): string =>
  (html?.text ?? "").replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
const impaired = (
  ...conditions: readonly (typeof gone | (typeof gone & { recovering: true }))[]
) => {
  const agent = storedAgent("one", "share");
  return { ...agent, report: { ...agent.report, monitorCount: 14, conditions } };
};

test("a location that is impaired says what is broken, since when, who sees it, and what still works", () => {
  const text = textOf(conditionView([impaired(gone)], at));
  expect(text).toContain("This location itself is impaired");
  expect(text).toContain("The gateway &lt;10.0.0.1&gt; does not answer.");
  expect(text).toContain("For 10 min, seen by one: 3 monitors not measured, 11 others are.");
  expect(text).toContain("is unknown, not down");
});

test("what an agent leaves out of its assignment is a warning with the agent's words", () => {
  const agent = storedAgent("one", "share");
  const remarks = ["field 7 has 2 monitors of a <kind> that it does not know: upgrade it"];
  const text = textOf(conditionView([{ ...agent, report: { ...agent.report, remarks } }], at));
  expect(text).toContain("A warning of this location");
  expect(text).toContain(
    "Field 7 has 2 monitors of a &lt;kind&gt; that it does not know: upgrade it. Said by one.",
  );
});

test("what hides nothing yet is a warning, and no fault of the location", () => {
  const agent = storedAgent("one", "share");
  const sentence = "the name server 10.0.0.53 does not answer, and the others do";
  const warnings = [{ ...gone, scope: "resolver", sentence, affected: 0 } as const];
  const text = textOf(conditionView([{ ...agent, report: { ...agent.report, warnings } }], at));
  expect(text).toContain("A warning of this location");
  expect(text).toContain(
    "The name server 10.0.0.53 does not answer, and the others do. For 10 min, seen by one: no check fails because of it yet.",
  );
  expect(text).not.toContain("impaired");
});

test("a location in order, or whose impaired agent is gone, says nothing of it", () => {
  expect(conditionView([storedAgent("one", "share")], at)).toBeNull();
  expect(conditionView([{ ...impaired(gone), live: false }], at)).toBeNull();
});
