import { expect, test } from "vitest";
import { webhookIsGone, startProvider } from "../../../servers/providers.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const list = "/status-pages/1/subscribers";

test("a webhook that answers 410 stays in the list with why and when, is resumed, and is removed", async () => {
  await using gone = await startProvider(webhookIsGone);
  const scene = await operatorScene({ sends: "really" });
  const form = formTokenIn(await (await scene.get("/maintenances/new")).text());
  const press = async (path: string, typed: Readonly<Record<string, string>> = {}) => {
    const answer = await scene.post(path, { form, ...typed });
    return [answer.status, answer.headers.get("location")];
  };
  const words = async (path: string): Promise<string> =>
    (await (await scene.get(path)).text()).replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
  await press("/settings/service", { address: "https://picket.test" });
  await press("/status-pages", { title: "Acme", slug: "acme" });
  await press("/status-pages/1/publish");
  await press(list, { webhook_url: `${gone.url}/planted`, name: "Wall" });
  expect((await press(`${list}/1/resume`))[0]).toBe(409);
  const report = { title: "Slow", status: "investigating", message: "m", notify: "yes" };
  const ends = async (): Promise<void> => {
    expect((await press("/status-pages/1/reports/new", report))[0]).toBe(303);
    await expect
      .poll(async () => {
        await scene.clock.advance(1_000);
        return words(list);
      })
      .toMatch(/Ended by the receiver, 22 Nov, 12:\d\d UTC : .*\(410\)/);
  };
  await ends();
  expect(await words(list)).toContain("make a new one there, and use that one");
  expect(await words(list)).not.toContain("channel");
  expect(await words(list)).toMatch(/it is deleted after 22 Dec, 12:\d\d UTC/);
  expect(await words(list)).toContain("0 subscribers, and 1 ended.");
  expect(await words(list)).not.toContain("Send a test");
  const { subscribers } = JSON.parse(await (await scene.get(`${list}.json`)).text());
  expect(subscribers).toMatchObject([{ ended_at: expect.stringMatching(/^2026-11-22T12:/) }]);
  expect(await press(`${list}/1/resume`)).toEqual([303, `${list}?notice=resumed`]);
  expect(await words(list)).toContain("1 subscriber.");
  expect(await words(list)).toContain("Send a test");
  const log = await words("/changes?kind=subscriber");
  expect(log).toMatch(/a person on this machine restored subscriber 127\.0\.0\.1/);
  expect(log).toContain("The service removed subscriber 127.0.0.1");
  const again = await scene.post(`${list}/1/resume`, { form });
  expect([again.status, await again.text()]).toEqual([
    409,
    expect.stringContaining("Nothing was resumed"),
  ]);
  await ends();
  expect(await press(`${list}/1/remove`)).toEqual([303, `${list}?deleted=subscriber.1`]);
  expect(await words(list)).toContain("No subscriber yet.");
  expect((await press(`${list}/1/resume`))[0]).toBe(409);
});
