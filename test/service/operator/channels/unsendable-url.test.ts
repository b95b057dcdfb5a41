import { expect, test } from "vitest";
import { applyFile } from "../../../support/applied-file.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

const rules = { events: "error", time_zone: "UTC", name: "hook" };
const wordsIn = (page: string): string => page.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

test.each([
  [
    "http://169.254.169.254/x",
    "leads to an address that is link-local or hands out credentials, which gets no message: correct it",
  ],
  [
    "http://198.51.100.7/x",
    "would send messages unencrypted over plain http to 198.51.100.7: use https, or set PICKET_NOTIFY_ALLOW_HTTP=on at the service",
  ],
])("a channel to %s is refused where it is made and changed", async (endpoint, words) => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const made = await ann.send("/channels/new/webhook", { ...rules, endpoint });
  expect(made.status).toBe(422);
  expect(wordsIn(await made.text()).toLowerCase()).toContain(words.toLowerCase().slice(0, 40));
  const good = { ...rules, endpoint: "http://10.0.0.5:8080/in" };
  expect((await ann.send("/channels/new/webhook", good)).status).toBe(303);
  const changed = await ann.send("/channels/1/edit", { ...rules, endpoint });
  expect(changed.status).toBe(422);
  const file = {
    owner: "team-net",
    channels: [
      {
        name: "ops",
        provider: "NOTIFICATION_PROVIDER_WEBHOOK",
        data: { webhook: { endpoint } },
      },
    ],
  };
  await expect(applyFile(scene.service, file)).rejects.toThrow(words.slice(0, 40));
});

test("a channel of no monitor says that it notifies no one yet", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  await ann.send("/channels/new/webhook", { ...rules, endpoint: "https://hook.test/" });
  for (const page of ["/channels", "/channels/1"]) {
    const words = wordsIn(await (await ann.get(page)).text());
    expect(words).toContain("Notifies no one yet");
    expect(words).toContain("choose monitors");
    expect(words).not.toContain("Ready");
  }
});
