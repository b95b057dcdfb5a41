import path from "node:path";
import { expect, test } from "vitest";
import { openDatabase } from "#service/database";
import { Locations } from "#service/locations";
import { openSecretBox } from "#service/secret-box";
import { FakeClock } from "../support/fake-clock.ts";
import { temporaryFolder } from "../support/running-service.ts";

test("a location with more labels than are let pass today can be renamed, and is refused when it is given as many again", () => {
  const folder = temporaryFolder();
  using database = openDatabase(path.join(folder, "service.sqlite"));
  const locations = new Locations(
    database,
    new FakeClock(),
    openSecretBox(path.join(folder, "key")),
  );
  const { id } = locations.create({ name: "office", monitorIds: [], metadata: {} });
  const metadata = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`label${n}`, "x"]));
  database.run(
    "UPDATE private_locations SET metadata = ? WHERE id = ?",
    JSON.stringify(metadata),
    id,
  );
  locations.update(id, { name: "home" });
  expect(locations.get(id)).toMatchObject({ name: "home", metadata });
  expect(() => locations.update(id, { metadata })).toThrow("metadata has 21 labels, more than 20");
});
