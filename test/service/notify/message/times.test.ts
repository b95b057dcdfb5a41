import { expect, test } from "vitest";
import { fromTo } from "#service/notify/message/times";
import { epochMillis, type EpochMillis } from "#base/units";

const at = (text: string): EpochMillis => epochMillis(Date.parse(text));

test.each([
  [
    "08:00",
    "2026-11-29T08:00:00Z",
    "2026-11-29T09:00:00Z",
    "29 Nov 2026, 08:00:00 to 09:00:00 UTC",
  ],
  [
    "the next day",
    "2026-11-29T23:00:00Z",
    "2026-11-30T01:00:00Z",
    "29 Nov 2026, 23:00:00 UTC to 30 Nov 2026, 01:00:00 UTC",
  ],
])(
  "a stretch names the day and the zone once if they are the same: %s",
  (_which, from, to, said) => {
    expect(fromTo(at(from), at(to), "UTC")).toBe(said);
  },
);

test("a stretch over the night in which the clocks are set back names both zones, and the day once", () => {
  const [from, to] = [at("2026-10-25T00:30:00Z"), at("2026-10-25T02:30:00Z")];
  expect(fromTo(from, to, "Europe/Berlin")).toBe("25 Oct 2026, 02:30:00 CEST to 03:30:00 CET");
});
