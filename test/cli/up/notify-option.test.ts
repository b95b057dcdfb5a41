import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/service-way";
import { parseNotify, settleChannels } from "#cli/up/notify-option";
import { type Asked, startProvider } from "../../servers/providers.ts";
import { runningService, temporaryFolder } from "../../support/running-service.ts";

const picket = fileURLToPath(new URL("../../../bin/picket", import.meta.url));
const never = new AbortController().signal;

test("each URL becomes a channel for all monitors, in place of those of the last run", async () => {
  await using service = await runningService();
  const { key } = await service.admin.createApiKey({ name: "up", scope: "write" });
  const management = connectManagement(service.url, key, directWay());
  const urls = ["http://127.0.0.1:9/in", "https://ntfy.sh/shop-3f9a2c"].map(parseNotify);
  expect(await settleChannels(urls, [], management, never)).toEqual(["Webhook", "ntfy"]);
  expect(await settleChannels(urls, [], management, never)).toEqual(["Webhook", "ntfy"]);
  const { notifications } = await management.notifications.listNotifications({});
  expect(notifications.map(({ name }) => name)).toEqual(["picket up: Webhook", "picket up: ntfy"]);
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

test("picket up with --notify sends a signed message when a monitor is down", async () => {
  const down = Promise.withResolvers<Asked>();
  await using hook = await startProvider((asked, response) => {
    response.end();
    if (JSON.parse(asked.body).type === "monitor.error") down.resolve(asked);
  });
  await using shop = await startProvider((_asked, response) => response.writeHead(503).end());
  const file = path.join(temporaryFolder(), "monitors.yaml");
  const monitor = { name: "shop", url: shop.url, periodicity: "30s", retry: 0 };
  writeFileSync(file, JSON.stringify({ http_monitors: [monitor] }));
  const args = ["up", "--monitors", file, "--notify", `${hook.url}/in?token=secret`];
  const up = spawn(picket, args, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1" },
  });
  let shown = "";
  for (const stream of [up.stdout, up.stderr])
    stream.on("data", (chunk: Buffer) => void (shown += chunk.toString()));
  const closed = once(up, "close");
  const asked = await Promise.race([down.promise, closed.then(() => null)]);
  up.kill("SIGINT");
  await closed;
  expect(asked?.path).toBe("/in?token=secret");
  expect(asked?.headers["webhook-signature"]).toMatch(/^v1,/);
  expect(JSON.parse(asked?.body ?? "null")).toMatchObject({
    status: "error",
    data: { message: { title: "Down: shop" } },
  });
  expect(shown).toContain("Notifications go to: Webhook");
  expect(shown).not.toContain("secret");
});
