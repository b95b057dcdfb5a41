import { expect, test } from "vitest";
import { hasInternalAddress } from "#service/operator/publishing/internal-name";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

test.each([
  "10.0.0.5",
  "Database (10.0.0.5)",
  "10.0.0.5/admin",
  "172.31.255.1:443",
  "192.168.1.1",
  "127.0.0.1:8080",
  "169.254.169.254",
  "100.64.0.1",
  "::ffff:10.0.0.5",
  "db.internal",
  "https://shop.internal/health",
  "localhost:5432",
  "redis-1:6379",
  "printer.LAN",
  "[fd00::1]:8080",
  "fe80::1",
])("visitors of a status page are not to read %s", (name) => {
  expect(hasInternalAddress(name)).toBe(true);
});

test.each([
  "Shop",
  "api.example.com",
  "https://shop.example.com:8443/cart",
  "Internal tools",
  "Local delivery",
  "API v2.1",
  "Ratio 16:9",
  "Payments: cards",
  "Orders 10:30",
  "C++ :: builds",
  "203.0.113.7:443",
  "DNS 1.1.1.1",
  "172.32.0.1",
  "100.128.0.1",
  "2606:4700:4700::1111",
  "[2001:4860:4860::8888]:53",
  "999.1.1.1",
])("%s is a name for visitors", (name) => {
  expect(hasInternalAddress(name)).toBe(false);
});

test("a component that is called by an internal address is saved, with a warning in the editor alone", async () => {
  const scene = await operatorScene();
  await generatedPage(scene.service);
  const text = async (path: string): Promise<string> =>
    (await (await scene.get(path)).text()).replaceAll(/\s+/g, " ");
  const warning = "Visitors will read this internal address: give it a public name";
  const path = "/status-pages/1/components/6";
  const before = await text("/status-pages/1?edit=6");
  expect(before).not.toContain(warning);
  const sent = sentForm(before, path);
  sent.set("name", "db.internal:5432");
  expect((await scene.post(path, sent)).status).toBe(303);
  expect((await text("/status-pages/1")).split(warning)).toHaveLength(2);
  expect((await text("/status-pages/1?edit=6")).split(warning)).toHaveLength(3);
  const published = await text("/status/acme");
  expect(published).toContain("db.internal:5432");
  expect(published).not.toContain(warning);
});
