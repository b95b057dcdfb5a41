import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import { readTexts } from "../support/configuration-text.ts";
import { operatorScene } from "../support/operator-scene.ts";
import { runningService } from "../support/running-service.ts";

const bell = "a\x07b";
const fault = "must be one line of text without control characters, but has";
const at = "2026-12-01T22:00:00Z";
const monitor = { url: "https://shop.test/", periodicity: "PERIODICITY_30S" };
const hook = {
  provider: "NOTIFICATION_PROVIDER_WEBHOOK",
  data: { webhook: { endpoint: "https://a.test/" } },
};
const report = { pageId: "1", date: at, status: 1, message: "m" };
const window = { from: at, to: "2026-12-01T23:00:00Z", message: "m", pageId: "1" };

const calls: readonly (readonly [string, object, string])[] = [
  ["monitor.v1.MonitorService/CreateHTTPMonitor", { monitor: { ...monitor, name: bell } }, "name"],
  [
    "monitor.v1.MonitorService/CreateHTTPMonitor",
    { monitor: { ...monitor, name: "a", labels: { team: "a\nb" } } },
    "labels",
  ],
  ["private_location.v1.PrivateLocationService/CreatePrivateLocation", { name: bell }, "name"],
  [
    "private_location.v1.PrivateLocationService/CreatePrivateLocation",
    { name: "a", metadata: { site: bell } },
    "metadata",
  ],
  ["notification.v1.NotificationService/CreateNotification", { ...hook, name: bell }, "name"],
  ["status_page.v1.StatusPageService/CreateStatusPage", { title: bell, slug: "a" }, "title"],
  ["status_page.v1.StatusPageService/AddStaticComponent", { pageId: "1", name: bell }, "name"],
  ["status_page.v1.StatusPageService/CreateComponentGroup", { pageId: "1", name: bell }, "name"],
  [
    "status_page.v1.StatusPageService/CreatePageSubscription",
    { pageId: "1", name: bell, webhookChannel: { webhookUrl: "https://a.test/" } },
    "name",
  ],
  ["status_report.v1.StatusReportService/CreateStatusReport", { ...report, title: bell }, "title"],
  ["maintenance.v1.MaintenanceService/CreateMaintenance", { ...window, title: bell }, "title"],
];

test("a name with a control character or a line break is refused by its field in every call", async () => {
  await using service = await runningService({ publicUrl: "https://status.test/" });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const ask = (path: string, body: object) =>
    service.post(`/rpc/openstatus.${path}`, body, { "x-service-key": key });
  await ask("status_page.v1.StatusPageService/CreateStatusPage", { title: "A", slug: "acme" });
  const said: string[] = [];
  for (const [path, body] of calls) said.push(`${path} ${await (await ask(path, body)).text()}`);
  expect(said.filter((one, index) => !one.includes(`${calls[index]?.[2]} ${fault}`))).toEqual([]);
});

test("a key cannot be named so", async () => {
  await using service = await runningService();
  await expect(service.admin.createApiKey({ name: "a\nb", scope: "read" })).rejects.toThrow(
    `name ${fault} \\x0a`,
  );
});

test("a file that names something so is reported at its place", () => {
  const read = readTexts({
    "a.yaml": JSON.stringify({
      http_monitors: [{ name: bell, url: "https://shop.test/", periodicity: "30s" }],
      private_locations: [{ name: "a\u2028b" }],
      notifications: [{ name: "a\tb", provider_type: "email", email: { email: "a@b.test" } }],
      status_pages: [{ title: "a\nb", slug: "a", groups: [{ name: bell }] }],
    }),
  });
  const mistakes = read.ok ? [] : (read.mistakes.get("a.yaml") ?? []);
  expect(mistakes.map(({ path, message }) => `${path}: ${message}`).toSorted()).toEqual([
    `http_monitors[0].name: ${fault} \\x07`,
    `notifications[0].name: ${fault} \\x09`,
    `private_locations[0].name: ${fault} \\u{2028}`,
    `status_pages[0].groups[0].name: ${fault} \\x07`,
    `status_pages[0].title: ${fault} \\x0a`,
  ]);
});

test("a form that names something so is refused, and what is stored so already is shown without harm", async () => {
  const { service, get, post } = await operatorScene({ days: 0 });
  const shop = { ...httpDefaults, name: bell, url: monitor.url, periodicity: "30s", active: true };
  // As a version before this rule took it.
  await service.admin.createMonitor(shop, "assignment");
  const page = await (await get("/status-pages/new")).text();
  const form = /name="form" value="([^"]*)"/.exec(page)?.[1] ?? "";
  const refused = await post("/status-pages", { form, title: bell, slug: "acme" });
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringContaining(`Title ${fault} \\x07`),
  ]);
  const shown = await (await get("/")).text();
  expect(shown).toContain("a\ufffdb");
  expect(shown).not.toContain(bell);
});
