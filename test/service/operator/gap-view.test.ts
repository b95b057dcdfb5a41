import { expect, test } from "vitest";
import type { Html } from "#web/page/html";
import { gapView } from "#service/operator/gap-view";
import { locationId } from "#service/store/ids";
import { epochMillis } from "#base/units";

const at = (time: string) => epochMillis(Date.parse(`2026-08-12T${time}:00Z`));
const excuse = { causeId: "c1", sentence: "the gateway 10.0.0.1 does not answer" };
const gap = (slots: number) => ({
  location: locationId(7),
  from: at("02:00"),
  to: at("02:10"),
  slots,
  excuse,
});
const seen = (slot: string) => [
  {
    location: 7,
    name: "office <1>",
    status: "active",
    slot: at(slot),
    since: null,
    stale: false,
  } as const,
];
const textOf = (html: Html | null): string =>
  (html?.text ?? "").replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");

test("a gap says since when and why, or from when to when once its location sees again", () => {
  const open = textOf(gapView([gap(21)], seen("01:59")));
  expect(open).toContain("not measured since");
  expect(open).toContain("21 checks, because the gateway 10.0.0.1 does not answer.");
  expect(open).toContain("office &lt;1&gt;");
  const over = textOf(gapView([gap(21)], seen("02:11")));
  expect(over).toMatch(/not measured .*02:00 to .*02:10 \(10 min\)/);
  expect(gapView([], seen("02:11"))).toBeNull();
});
