import { expect, test } from "vitest";
import { noAccounts } from "#service/notify/accounts";
import { accounts } from "../../../support/notices.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

const scene = async (smtp: typeof accounts.smtp) => {
  const { get, post } = await operatorScene({ days: 0, accounts: { ...noAccounts, smtp } });
  const send = async (path: string, fields: Record<string, string>, on: string) =>
    post(path, { form: formTokenIn(await (await get(on)).text()), ...fields });
  await send("/settings/service", { address: "https://picket.test" }, "/settings/service");
  await send("/status-pages", { title: "Acme", slug: "acme" }, "/status-pages/new");
  return { get, send };
};

const follow = (page: string): string =>
  /<details class="follow[^]*?<\/details>/.exec(page)?.[0].replaceAll(/\s+/g, " ") ?? "";

test("a preview has the Subscribe button of the public page if mail can be sent, and its form is in the preview of a draft too", async () => {
  const { get, send } = await scene(accounts.smtp);
  const draft = follow(await (await get("/status-pages/1/preview")).text());
  expect(draft).toContain("<summary>Subscribe</summary>");
  expect(draft).toContain('href="/status-pages/1/preview/subscribe"');
  expect((await get("/status/acme/subscribe")).status).toBe(404);
  const form = await get("/status-pages/1/preview/subscribe");
  expect(form.status).toBe(200);
  // Neither the button nor the Enter key sends it.
  expect(await form.text()).toMatch(/<button type="submit"\s+disabled>Subscribe/);
  await send("/status-pages/1/publish", {}, "/status-pages/1");
  const published = follow(await (await get("/status/acme")).text());
  const ofPreview = draft.replaceAll("/status-pages/1/preview", "/status/acme");
  expect(published.replaceAll("https://picket.test", "")).toBe(ofPreview);
  const real = await (await get("/status/acme/subscribe")).text();
  expect(real).not.toContain("disabled");
});

test("a preview offers feeds alone if no mail can be sent", async () => {
  const { get } = await scene(null);
  const draft = follow(await (await get("/status-pages/1/preview")).text());
  expect(draft).toContain("<summary>Feeds</summary>");
  expect((await get("/status-pages/1/preview/subscribe")).status).toBe(404);
});
