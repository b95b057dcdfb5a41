import { expect, test } from "vitest";
import { locales } from "#service/status-page/page-definition";
import { filledIn, filledText, updateText } from "#service/status-site/view/filled-message";
import { repeatsOf } from "#service/status-site/view/repeat-rule";
import { wordsIn } from "#service/status-site/view/words";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import { epochMillis, type EpochMillis } from "#base/units";

const at = (time: string): EpochMillis => epochMillis(Date.parse(`2026-11-${time}:00Z`));

const work = (changes: Partial<MaintenanceRow>): MaintenanceRow => ({
  id: 1,
  title: "Backups",
  message: "",
  from: at("24T21:00"),
  to: at("24T22:30"),
  recurrence: "FREQ=WEEKLY",
  timeZone: "Europe/Berlin",
  page: "1",
  components: [],
  monitors: [],
  locations: [],
  owner: "",
  notify: false,
  createdAt: at("20T00:00"),
  updatedAt: at("20T00:00"),
  plannedAt: at("20T00:00"),
  earlierPlans: [],
  says: { reminder: false, times: false },
  movedEnds: [],
  ...changes,
});

const then = work({});
const said = {
  is: "times",
  window: { from: then.from, to: then.to },
  repeats: repeatsOf(then),
} as const;

test.each(locales)(
  "a sentence with times that the work had is read, with its rule (%s)",
  (locale) => {
    const message = filledText(said, wordsIn(locale), then.timeZone).replaceAll("\n", "\r\n");
    const moved = work({ from: at("27T21:00"), to: at("27T21:30") });
    const filled = filledIn(message, moved, at("22T12:00"));
    expect(filled).toEqual(said);
    const text = updateText({ message, filled: filled ?? said }, wordsIn("en"));
    expect(text.replaceAll(/\s/g, " ")).toBe(
      "The maintenance has new times: 24 Nov 2026, 21:00 – 22:30 UTC  Repeats: every Tuesday, 22:00 (Europe/Berlin)",
    );
  },
);

test("a rule that the work has no more is left out, and a sentence that a person added is kept with the rest", () => {
  const message = filledText(said, wordsIn("de"), then.timeZone);
  const once = work({ recurrence: "", from: at("27T21:00"), to: at("27T21:30") });
  expect(filledIn(message, once, at("22T12:00"))).toEqual({
    ...said,
    repeats: repeatsOf(once),
  });
  for (const own of [`${message}\n\nSorry.`, `Sorry. ${message}`])
    expect(filledIn(own, once, at("22T12:00"))).toBeNull();
});
