import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { runningService } from "../support/running-service.ts";

test("a location with more labels than are let pass today can be renamed, and is refused when it is given as many again", async () => {
  await using service = await runningService();
  const { admin } = service;
  const { key } = await admin.createApiKey({ name: "test", scope: "write" });
  const { id } = await admin.createPrivateLocation({
    name: "office",
    monitorIds: [],
    metadata: {},
  });
  const metadata = Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`label${n}`, "x"]));
  using file = new DatabaseSync(path.resolve(service.database), { timeout: 10_000 });
  file.prepare("UPDATE locations SET metadata = ? WHERE id = ?").run(JSON.stringify(metadata), id);
  await admin.updatePrivateLocation(id, { name: "home" });
  const { privateLocation } = await service.locations(key).getPrivateLocation({ id });
  expect(privateLocation).toMatchObject({ name: "home", metadata });
  await expect(admin.updatePrivateLocation(id, { metadata })).rejects.toThrow(
    "metadata has 21 labels, more than 20",
  );
});
