import { expect, test } from "vitest";
import {
  auditQueryOf,
  changesAddress,
  changesQueryIn,
} from "#service/operator/changes/changes-query";
import { operatorScene } from "../../../support/operator-scene.ts";

const asked = (query: string) => changesQueryIn(new URLSearchParams(query));
const timeOf = (query: string): readonly (string | null)[] => {
  const { since, until } = auditQueryOf(asked(query));
  return [since, until].map((at) => (at === null ? null : new Date(at).toISOString()));
};

test("days of the audit log are those of UTC, or of the zone that the address names", () => {
  const days = "since=2026-10-25&until=2026-10-25";
  expect(timeOf(days)).toEqual(["2026-10-25T00:00:00.000Z", "2026-10-26T00:00:00.000Z"]);
  // Clocks there are put back on that day, which has 25 hours.
  expect(timeOf(`${days}&zone=Europe/Berlin`)).toEqual([
    "2026-10-24T22:00:00.000Z",
    "2026-10-25T23:00:00.000Z",
  ]);
  expect(timeOf(`${days}&zone=Mars`)).toEqual(timeOf(days));
  expect(timeOf("since=2026-02-30&until=x&zone=Europe/Berlin")).toEqual([
    "1970-01-01T00:00:00.000Z",
    null,
  ]);
  expect(changesAddress(asked(`${days}&zone=Europe/Berlin`), null)).toBe(
    "/changes?since=2026-10-25&until=2026-10-25&zone=Europe%2FBerlin",
  );
  expect(changesAddress(asked("kind=monitor&zone=Europe/Berlin"), null)).toBe(
    "/changes?kind=monitor",
  );
});

test("a day that is before the first one is refused at its field, which keeps it, and nothing is said to be missing", async () => {
  const { get } = await operatorScene();
  const query = "since=2026-11-22&until=2026-11-21";
  const page = (await (await get(`/changes?${query}`)).text()).replaceAll(/\s+/g, " ");
  expect(page).toContain("To is before From: choose the day of From, or a later one.");
  expect(page).toContain(
    'name="until" value="2026-11-21" aria-invalid="true" aria-describedby="days-fault"',
  );
  expect(page).toContain("From (<span data-zone-name>UTC</span>)");
  expect(page).not.toContain("There is no such change");
  const document = await get(`/changes.json?${query}`);
  expect([document.status, await document.text()]).toEqual([
    400,
    expect.stringContaining("To is before From"),
  ]);
});
