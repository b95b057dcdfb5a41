import path from "node:path";
import { expect, test } from "vitest";
import { openSecretBox } from "#service/edge/secret-box";
import { type PageDefinition, pageDefaults } from "#service/status-page/page-definition";
import { StatusPages } from "#service/status-site/status-pages";
import { FakeClock } from "../../support/fake-clock.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import { quickFolder } from "../../support/running-service.ts";

test("a page with a colour that an older version took can be changed, and no other such colour is taken", async () => {
  const folder = quickFolder();
  const database = path.join(folder, "service.sqlite");
  await using store = await openStoreHere({ database, use: "service", onProgress: () => {} });
  const clock = new FakeClock();
  const pages = new StatusPages(store, {
    box: openSecretBox(path.join(folder, "key")),
    clock,
    publicAddress: { url: null },
  });
  const themed = (colour: string): PageDefinition => ({
    ...pageDefaults,
    title: "Acme",
    slug: "acme",
    customTheme: { light: { "--foreground": colour }, dark: {} },
  });
  const old = { uid: "a", definition: themed("0 0% 4%"), sealed: "", owner: "", labels: {} };
  const made = await store.pages.pages.create({ ...old, at: clock.wall() });
  const row = await pages.get(String(made));
  const renamed = await pages.update(row, { ...row.definition, title: "Acme Ltd" }, null);
  expect(renamed.definition).toEqual({ ...old.definition, title: "Acme Ltd" });
  await expect(pages.update(renamed, themed("0 0% 5%"), null)).rejects.toThrow(
    "must be a colour of CSS",
  );
});
