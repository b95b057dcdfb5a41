import path from "node:path";
import { expect, test } from "vitest";
import { tcpDefaults } from "#check/definition";
import { silentLogger } from "#base/log";
import { overviewLinesMax } from "#limits/pages-limits";
import { MailServer } from "#service/edge/mail-server";
import { PublicAddress } from "#service/edge/public-address";
import { openBoxOf } from "#service/edge/secret-box";
import type { Picture } from "#service/operator/picture";
import { keepPictures } from "#service/operator/picture-upkeep";
import { Pictures } from "#service/operator/pictures";
import { roomsOf } from "#service/service-rooms";
import { FakeClock } from "../../support/fake-clock.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import { quickFolder } from "../../support/running-service.ts";

test("the lines of the first page are drawn before a person looks, and no others", async () => {
  const [folder, clock] = [quickFolder(), new FakeClock()];
  const database = path.join(folder, "service.sqlite");
  await using store = await openStoreHere({ database, use: "service", onProgress: () => {} });
  for (let index = 0; index < overviewLinesMax + 5; index += 1) {
    const definition = { ...tcpDefaults, name: `m${index}`, uri: "db.test:1", periodicity: "30s" };
    const made = { definition: { ...definition, active: true }, owner: "", labels: {} };
    await store.state.monitors.create({ ...made, at: clock.wall() });
  }
  const box = await openBoxOf(path.join(folder, "key"), async () => false);
  const { settings } = store.state;
  const publicAddress = new PublicAddress(settings, { setting: null, local: null });
  const mailServer = new MailServer(settings, box, { setting: null, dkim: null });
  const rooms = roomsOf(store, box, { publicAddress, mailServer }, { clock, log: silentLogger });
  using _results = rooms.results;
  await using _sender = rooms.sender;
  await using _post = rooms.letterPost;
  const taken = await rooms.pictures.now();
  const drawn = new Set<number>();
  // Only a line says what is usual.
  const monitors = taken.monitors.map((one) => ({
    ...one,
    get usual() {
      drawn.add(one.id);
      return one.usual;
    },
  }));
  const stop = new AbortController();
  class OnePicture extends Pictures {
    override async prepare(): Promise<Picture> {
      stop.abort();
      return { ...taken, monitors };
    }
  }
  await keepPictures({ ...rooms, pictures: new OnePicture(rooms) }, stop.signal);
  expect(drawn.size).toBe(overviewLinesMax);
});
