import { expect, test } from "vitest";
import { reconcile } from "#agent/prober/schedule/reconcile";
import { millis } from "#base/units";
import { monitorWith } from "../../../support/twins.ts";

test("what runs is kept, changed, stopped or started as it is wanted", () => {
  const running = new Map(["kept", "changed", "gone"].map((id) => [id, monitorWith({ id })]));
  const plan = reconcile(running, [
    monitorWith({ id: "kept" }),
    monitorWith({ id: "changed", timeout: millis(2) }),
    monitorWith({ id: "new" }),
  ]);
  expect(plan.start.map(({ id }) => id)).toEqual(["new"]);
  expect(plan.change.map(({ id }) => id)).toEqual(["changed"]);
  expect(plan.stop).toEqual(["gone"]);
  expect(plan.kept).toBe(1);
});
