import { expect, test } from "vitest";
import type { PicturedMonitor } from "#service/operator/picture";
import { unlessAway } from "#service/operator/pictures/unless-away";
import { StoreFault, type StoreFaultCode } from "#service/store/store-fault";
import { epochMillis, millis } from "#base/units";

const monitor: PicturedMonitor = {
  id: 1,
  name: "shop",
  kind: "tcp",
  target: "db:5432",
  labels: {},
  owner: "",
  period: millis(60_000),
  status: "active",
  since: epochMillis(0),
  lastCheckedAt: null,
  seenBy: [],
  reason: null,
  unread: false,
  unheard: false,
  incident: null,
  recovery: null,
  latency: null,
  usual: null,
  medianToday: null,
  days: [],
};

/** What is read of a monitor whose results cannot be read, for this reason. */
const readWith = (code: StoreFaultCode) =>
  unlessAway(monitor, async ({ unread }) => {
    if (!unread) throw new StoreFault(code, "no answer");
    return "its last known status";
  });

test("a monitor whose database server is met as away is read as one whose results cannot be read", async () => {
  expect(await readWith("store_part_away")).toEqual({
    monitor: { ...monitor, unread: true },
    found: "its last known status",
  });
});

test("a database that is away as a whole is a fault of the page", async () => {
  await expect(readWith("store_unreachable")).rejects.toThrow("no answer");
});
