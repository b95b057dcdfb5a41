import { expect, test } from "vitest";
import { readTexts } from "../../support/configuration-text.ts";

/** A file of one maintenance with these lines in place of the usual ones. */
function reading(changes: Readonly<Record<string, unknown>>) {
  const usual = {
    title: "Upgrade",
    message: "Soon",
    from: "2026-12-01T22:00",
    to: "2026-12-01T23:30",
  };
  const maintenances = [{ ...usual, monitors: ["shop"], ...changes }];
  const http_monitors = [{ name: "shop", url: "https://shop.test/", periodicity: "30s" }];
  return readTexts({ "a.yaml": JSON.stringify({ http_monitors, maintenances }) });
}

test.each([
  [{}, "2026-12-01T22:00:00Z"],
  [{ time_zone: "Europe/Berlin" }, "2026-12-01T21:00:00Z"],
  [{ from: "2026-12-01 22:00+02:00" }, "2026-12-01T20:00:00Z"],
])("a time is meant in its zone, or by its offset: %j", (changes, from) => {
  const read = reading(changes);
  expect(read.ok && read.configuration.maintenances.map((one) => one.from)).toEqual([from]);
});

test.each([
  [{ title: "" }, "title: must be 1 to 256 characters long"],
  [{ message: "" }, "message: is required"],
  [{ from: "2026-02-30T22:00" }, "from: must be a time"],
  [{ from: "2026-02-30T22:00Z" }, "from: must be a time"],
  [{ to: "2026-12-01T21:00" }, "to: must be later than it begins"],
  [{ time_zone: "Europe/Berln" }, "time_zone: must be an IANA name"],
  [{ recurrence: "FREQ=SOMETIMES" }, "recurrence: "],
  [{ recurrence: "FREQ=MONTHLY;BYMONTHDAY=32" }, "recurrence: "],
  [{ monitors: [] }, "monitors: must name a monitor"],
  [{ monitors: [], components: {} }, "components: must be a mapping from the slug"],
])("what the service would refuse is reported where it stands: %j", (changes, said) => {
  const read = reading(changes);
  const mistakes = read.ok ? [] : (read.mistakes.get("a.yaml") ?? []);
  expect(mistakes.map(({ path, message }) => `${path}: ${message}`)).toEqual([
    expect.stringContaining(`maintenances[0].${said}`),
  ]);
});
