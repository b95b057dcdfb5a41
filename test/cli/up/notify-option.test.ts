import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { parseNotify } from "#cli/up/notify-option";
import { settleChannels } from "#cli/up/up-channels";
import { type Asked, startProvider } from "../../servers/providers.ts";
import { runningService, temporaryFolder } from "../../support/running-service.ts";

const picket = fileURLToPath(new URL("../../../bin/picket", import.meta.url));
const never = new AbortController().signal;

test("each URL becomes a channel for all monitors, in place of those of the last run", async () => {
  await using service = await runningService();
  const { key } = await service.admin.createApiKey({ name: "up", scope: "write" });
  const management = connectManagement(service.url, key, directWay());
  const urls = ["http://127.0.0.1:9/in", "https://ntfy.sh/shop-3f9a2c"].map(parseNotify);
  const settle = (some: typeof urls) =>
    settleChannels({ urls: some, written: [] }, [], management, never);
  const list = async () =>
    (await management.notifications.listNotifications({})).notifications.map(
      ({ id, name }) => `${id} ${name}`,
    );
  expect(await settle(urls)).toEqual(["Webhook", "ntfy"]);
  const first = await list();
  expect(first).toEqual(["1 picket up: Webhook", "2 picket up: ntfy"]);
  // They are the same channels at the next run, so that they hear the end of what they were sent.
  expect(await settle(urls)).toEqual(["Webhook", "ntfy"]);
  expect(await list()).toEqual(first);
  await settle(urls.slice(1));
  expect(await list()).toEqual(["2 picket up: ntfy"]);
});

test.each([
  ["hooks.slack.com/services/secret", "--notify must be an http or https URL of a webhook"],
  ["https://ntfy.sh/", "--notify: topic is required"],
  ["mailto:secret", "--notify: email must be one address"],
])("%s is refused, and not quoted", (text, start) => {
  const refused = () => parseNotify(text);
  expect(refused).toThrow(start);
  expect(refused).not.toThrow("secret");
});

test("picket up with --notify and with notifications in its file sends signed messages when a monitor is down", async () => {
  const down = Promise.withResolvers<Asked>();
  const ofFile = Promise.withResolvers<Asked>();
  await using hook = await startProvider((asked, response) => {
    response.end();
    if (JSON.parse(asked.body).type !== "monitor.error") return;
    if (asked.path.startsWith("/in")) down.resolve(asked);
    else ofFile.resolve(asked);
  });
  await using shop = await startProvider((_asked, response) => response.writeHead(503).end());
  const file = path.join(temporaryFolder(), "monitors.yaml");
  const monitor = { name: "shop", url: shop.url, periodicity: "30s", retry: 0 };
  const own = { provider_type: "webhook", webhook: { endpoint: { env: "OPS_HOOK" } } };
  const notifications = [
    { name: "ops", ...own, monitors: ["shop"] },
    { name: "others", ...own, monitors: ["shop"], events: ["location"] },
  ];
  writeFileSync(file, JSON.stringify({ http_monitors: [monitor], notifications }));
  const args = ["up", "--monitors", file, "--notify", `${hook.url}/in?token=secret`];
  const up = spawn(picket, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...process.env,
      NO_COLOR: "1",
      OPS_HOOK: `${hook.url}/ops?token=secret`,
      PICKET_SERVICE_PUBLIC_URL: "https://picket.example.com",
    },
  });
  let shown = "";
  for (const stream of [up.stdout, up.stderr])
    stream.on("data", (chunk: Buffer) => void (shown += chunk.toString()));
  const closed = once(up, "close");
  const asked = await Promise.race([down.promise, closed.then(() => null)]);
  const named = await Promise.race([ofFile.promise, closed.then(() => null)]);
  up.kill("SIGINT");
  await closed;
  expect(asked?.path).toBe("/in?token=secret");
  expect(asked?.headers["webhook-signature"]).toMatch(/^v1,/);
  expect(JSON.parse(asked?.body ?? "null")).toMatchObject({
    status: "error",
    data: { message: { title: "Down: shop" } },
  });
  // Links lead where the service says that people open it.
  expect(asked?.body).toContain("https://picket.example.com/");
  expect(named?.path).toBe("/ops?token=secret");
  expect(hook.asked.filter(({ path: to }) => to.startsWith("/ops"))).toHaveLength(1);
  expect(shown).toContain("Notifications go to: Webhook, ops (Webhook), others (Webhook)");
  expect(shown).not.toContain("secret");
});
