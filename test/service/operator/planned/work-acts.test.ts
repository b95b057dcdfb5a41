import { expect, test } from "vitest";
import type { KnownReader } from "#service/operator/page-request";
import { filesNote } from "#service/operator/planned/work-acts";
import { after, epochMillis, hours } from "#base/units";

const now = epochMillis(Date.parse("2026-11-22T12:00:00Z"));
const work = {
  id: 1,
  title: "Backup",
  message: "",
  from: now,
  to: after(now, hours(1)),
  recurrence: "FREQ=DAILY",
  timeZone: "UTC",
  page: "",
  components: [],
  monitors: [],
  locations: [],
  owner: "shop",
  notify: false,
  createdAt: now,
  updatedAt: now,
  plannedAt: now,
  earlierPlans: [],
  says: { reminder: false, times: false },
  movedEnds: [],
};
const by = (role: "editor" | "responder"): KnownReader => {
  const session = { session: "s", formToken: "f", timeZone: "" };
  return { kind: "signed in", name: "Vera", who: "account 1", role, ...session };
};

test("whoever may not move the end of work of a file is not offered it", () => {
  const at = after(now, hours(0.5));
  expect(filesNote(work, at, by("editor"))?.text).toContain("You can end or extend this time here");
  expect(filesNote(work, at, by("responder"))).toBeNull();
});
