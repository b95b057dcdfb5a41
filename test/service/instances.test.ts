import path from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "#service/database";
import { Instances } from "#service/instances";
import { Locations } from "#service/locations";
import { openSecretBox } from "#service/secret-box";
import { FakeClock } from "../support/fake-clock.ts";
import { temporaryFolder } from "../support/running-service.ts";

test("the thousand agents of a location that were heard of last are kept", () => {
  const folder = temporaryFolder();
  using database = openDatabase(path.join(folder, "instances.sqlite"));
  const box = openSecretBox(path.join(folder, "key"));
  const clock = new FakeClock();
  const instances = new Instances(database, clock);
  const wanted = { name: "office", monitorIds: [], metadata: {} };
  const { id: locationId } = new Locations(database, clock, box).create(wanted);
  const unplaced = { left: false, revision: "", wanted: false, settled: false, steadyFrom: null };
  database.transaction(() => {
    for (let n = 0; n <= 1_000; n += 1) {
      clock.suspend(1);
      // The first has the name that comes last, so that no order of names saves it.
      const id = n === 0 ? "z" : `a${n}`;
      const instance = { ...unplaced, id, lastSeenAt: clock.wall() };
      instances.keep(locationId, [instance], "everywhere");
    }
  });
  const ids = instances.of(locationId).map(({ id }) => id);
  expect([ids.length, ids.includes("z"), ids.includes("a1000")]).toEqual([1_000, false, true]);
});
