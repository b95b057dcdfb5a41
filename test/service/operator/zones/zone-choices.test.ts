import { expect, test } from "vitest";
import { isTimeZone } from "#base/time-zone";
import { zoneChoices } from "#service/operator/zones/zone-choices";

test("zones are offered by the names that they have today, each is taken, and so are their older names", () => {
  const names = zoneChoices().map(([name]) => name);
  expect(names[0]).toBe("UTC");
  expect(names).toEqual(
    expect.arrayContaining(["Asia/Kolkata", "Europe/Kyiv", "Asia/Ho_Chi_Minh", "America/Nuuk"]),
  );
  for (const old of ["Asia/Calcutta", "Europe/Kiev"]) {
    expect(names).not.toContain(old);
    expect(isTimeZone(old)).toBe(true);
  }
  expect(names.filter((name) => !isTimeZone(name))).toEqual([]);
});
