import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../support/running-service.ts";
import { seenService } from "../../support/seen-service.ts";

test("a public page is written as files that lie where its links lead; one that is not public is refused", async () => {
  await using seen = await seenService();
  const { service, key, ids } = seen;
  const call = async (name: string, ask: object): Promise<void> => {
    const path = `/rpc/openstatus.status_page.v1.StatusPageService/${name}`;
    const answer = await service.post(path, ask, { "x-service-key": key });
    expect([name, answer.status]).toEqual([name, 200]);
    await answer.text();
  };
  const locales = ["LOCALE_EN", "LOCALE_DE"];
  await call("CreateStatusPage", { title: "Acme", slug: "acme", locales });
  await call("AddMonitorComponent", { pageId: "1", monitorId: ids.db });
  // A part without a page by itself, whose name looks like the address of one.
  await call("AddStaticComponent", { pageId: "1", name: '"monitor_url":"/monitors/99"' });
  const folder = temporaryFolder();
  const written = await seen.run(["status-page", "export", "acme", folder]);
  expect(written).toMatchObject({ code: 0, said: "" });
  const at = (file: string): string => path.join(folder, "status/acme", file);
  expect(readFileSync(at("index.html"), "utf8")).toContain("Some systems are down");
  expect(readFileSync(at("de/index.html"), "utf8")).toContain("Einige Systeme sind ausgefallen");
  expect(readFileSync(at("badge/1.svg"), "utf8")).toContain("Outage");
  expect(readFileSync(at("picture.png")).toString("latin1", 1, 4)).toBe("PNG");
  const monitor = `monitors/${ids.db}`;
  expect(readFileSync(at(`de/${monitor}/index.html`), "utf8")).toContain("Antwortzeit");
  expect(JSON.parse(readFileSync(at(`${monitor}.json`), "utf8"))).toMatchObject({ name: "db" });
  expect(readdirSync(at("monitors")).toSorted()).toEqual([ids.db, `${ids.db}.json`]);
  // As a web server tries them: the file, its folder's page, and the types that have no name in the address.
  const isThere = (href: string): boolean =>
    ["", "/index.html", ".svg", ".xml", ".json"].some(
      (end) =>
        statSync(path.join(folder, href + end), { throwIfNoEntry: false })?.isFile() === true,
    );
  for (const page of [
    "index.html",
    "events/index.html",
    "de/index.html",
    `${monitor}/index.html`,
  ]) {
    const text = readFileSync(at(page), "utf8");
    const links = [...text.matchAll(/(?:href|src)="(\/[^"#]+)"/g)].map(([, href = ""]) => href);
    expect(links.length).toBeGreaterThan(5);
    expect([page, links.filter((href) => !isThere(href))]).toEqual([page, []]);
  }
  expect(readdirSync(at(".")).filter((name) => name.endsWith(".new"))).toEqual([]);
  await call("UpdateStatusPage", {
    id: "1",
    accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED",
    password: "sesame",
  });
  expect(await seen.run(["status-page", "export", "acme", folder])).toMatchObject({
    code: 1,
    said: expect.stringContaining("is not public"),
  });
  expect(await seen.run(["status-page", "export", "acme"])).toMatchObject({ code: 64 });
  const list = await seen.run(["status-pages"]);
  expect([list.code, list.out]).toEqual([0, expect.stringMatching(/acme +Acme +published +1/)]);
  expect((await seen.run(["status-pages", "--names"])).out).toBe("acme\n");
});
