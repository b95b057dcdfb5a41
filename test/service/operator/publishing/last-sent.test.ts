import { expect, test } from "vitest";
import { slackTakesIt, startProvider, webhookIsGone } from "../../../servers/providers.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const list = "/status-pages/1/subscribers";

test("each subscriber says when the last update was sent and whether it was received, also in the JSON", async () => {
  await using well = await startProvider(slackTakesIt);
  await using gone = await startProvider(webhookIsGone);
  const scene = await operatorScene({ sends: "really" });
  const form = formTokenIn(await (await scene.get("/maintenances/new")).text());
  const press = (path: string, typed: Readonly<Record<string, string>> = {}) =>
    scene.post(path, { form, ...typed });
  const words = async (): Promise<string> =>
    (await (await scene.get(list)).text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  await press("/settings/service", { address: "https://picket.test" });
  await press("/status-pages", { title: "Acme", slug: "acme" });
  await press("/status-pages/1/publish");
  for (const { url } of [well, gone]) await press(list, { webhook_url: `${url}/planted` });
  expect(await words()).not.toContain("Last update");
  const report = { title: "Slow", status: "investigating", message: "m", notify: "yes" };
  await press("/status-pages/1/reports/new", report);
  await expect
    .poll(async () => {
      await scene.clock.advance(1_000);
      return words();
    })
    .toMatch(
      /last sent 22 Nov, 12:\d\d UTC .*Ended by.*Last update sent 22 Nov, 12:\d\d UTC , but not received\./,
    );
  const read = async () => JSON.parse(await (await scene.get(`${list}.json`)).text()).subscribers;
  const at = expect.stringMatching(/^2026-11-22T12:/);
  expect(await read()).toMatchObject([
    { last_sent_at: at, last_sent_received: true, last_sent_trouble: "" },
    {
      last_sent_at: at,
      last_sent_received: false,
      last_sent_trouble: expect.stringContaining("410"),
    },
  ]);
  // Taken up again it has no trouble any more, and still says what came of the last one.
  await press(`${list}/2/resume`);
  expect(await words()).toMatch(/UTC , but not received: .*410/);
});
