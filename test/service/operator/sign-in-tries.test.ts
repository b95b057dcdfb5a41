import { createHook } from "node:async_hooks";
import { expect, onTestFinished, test } from "vitest";
import * as limits from "#limits/pages-limits";
import { parseBlock } from "#network/address-block";
import { OperatorsPassword } from "#service/edge/password";
import { openStoreHere } from "../../support/open-store-here.ts";
import { identityProvider } from "../../support/identity-provider.ts";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import { statusScene, type StatusScene } from "../status-site/status-scene.ts";

const trustedProxies = ["127.0.0.0/8"].flatMap((one) => parseBlock(one) ?? []);
const from = (address: string) => ({ "x-forwarded-for": address });
const stranger = "203.0.113.7";
const person = "192.0.2.7";
/** More than all addresses together have in a minute. */
const many = limits.signInTriesMax + 15;

/** How often each answer came, e.g. `{ 403: 5, 429: 70 }`. */
const counted = (statuses: readonly number[]): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Map.groupBy(statuses, String)
      .entries()
      .map(([of, all]) => [of, all.length]),
  );

async function statusesOf(count: number, ask: (at: number) => Promise<Response>) {
  const statuses: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const answer = await ask(at);
    await answer.body?.cancel();
    statuses.push(answer.status);
  }
  return counted(statuses);
}

const tryWith = ({ post }: OperatorScene, secret: string, address: string): Promise<Response> =>
  post("/sign-in", { secret }, from(address));

test.each(["pkt_key_guess", "a guessed password"])(
  "a stranger who tries on and on with %s shuts out no other address",
  async (guess) => {
    const scene = await operatorScene({ pages: "signed in", days: 0, trustedProxies });
    const tried = await statusesOf(many, () => tryWith(scene, guess, stranger));
    expect(tried).toEqual({ 403: 5, 429: many - 5 });
    const { key } = await scene.service.admin.createApiKey({ name: "ops", scope: "read" });
    expect((await tryWith(scene, key, person)).status).toBe(303);
    expect((await tryWith(scene, "another guess", person)).status).toBe(403);
  },
);

test("strangers at many addresses use up the tries with a password, and none of those with a key", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0, trustedProxies });
  const tried = await statusesOf(many, (at) => tryWith(scene, "a guess", `203.0.113.${at}`));
  expect(tried).toEqual({ 403: limits.signInTriesMax, 429: 15 });
  const { key } = await scene.service.admin.createApiKey({ name: "ops", scope: "read" });
  expect((await tryWith(scene, key, person)).status).toBe(303);
});

test("an unknown key costs the service no password hash, and a guessed password costs it one", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0, trustedProxies });
  await using store = await openStoreHere({
    database: scene.database,
    use: "command",
    onProgress: () => {},
  });
  await new OperatorsPassword(store).set("correct horse battery");
  let hashes = 0;
  const hook = createHook({ init: (_, type) => void (hashes += Number(type === "SCRYPTREQUEST")) });
  hook.enable();
  onTestFinished(() => void hook.disable());
  expect((await tryWith(scene, "a guessed password", stranger)).status).toBe(403);
  expect(hashes).toBe(1);
  expect((await tryWith(scene, "pkt_key_guess", stranger)).status).toBe(403);
  expect((await tryWith(scene, `pkt_key_${"x".repeat(43)}`, stranger)).status).toBe(403);
  expect(hashes).toBe(1);
});

test("the addresses of one IPv6 network are one client, and those of two networks are two", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0, trustedProxies });
  const tried = await statusesOf(8, (at) =>
    tryWith(scene, "pkt_key_guess", `2001:db8:0:1:${at}::${at}`),
  );
  expect(tried).toEqual({ 403: 5, 429: 3 });
  expect((await tryWith(scene, "pkt_key_guess", "2001:db8:0:2::1")).status).toBe(403);
});

test("an IPv4 address that comes as a mapped one is the same client", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0, trustedProxies });
  const tried = await statusesOf(6, (at) =>
    tryWith(scene, "pkt_key_guess", at % 2 === 0 ? stranger : `::ffff:${stranger}`),
  );
  expect(tried).toEqual({ 403: 5, 429: 1 });
  expect((await tryWith(scene, "pkt_key_guess", `::ffff:${person}`)).status).toBe(403);
});

test("a stranger who starts one sign-in by the identity provider after another shuts out no other address", async () => {
  const provider = await identityProvider();
  const rules = { owner: ["*"] };
  const oidc = provider.settingsFor(() => scene.service.url, rules);
  const scene: OperatorScene = await operatorScene({
    pages: "signed in",
    days: 0,
    oidc,
    trustedProxies,
  });
  provider.open(`${scene.service.url}/sign-in/callback`, {});
  const start = (address: string) => scene.get("/sign-in/start", from(address));
  const max = limits.providerStepsPerAddressMax;
  expect(await statusesOf(many, () => start(stranger))).toEqual({ 303: max, 429: many - max });
  expect((await start(person)).status).toBe(303);
  // Whoever has started is let come back, however many start.
  expect((await scene.get("/sign-in/callback", from(stranger))).status).toBe(403);
});

test("a stranger at one status page shuts out no other address, and no reader of another page", async () => {
  await using here = await statusScene(trustedProxies);
  const password = "open sesame";
  for (const slug of ["acme", "wile"])
    await here.call("CreateStatusPage", {
      title: slug,
      slug,
      accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED",
      password,
      published: true,
    });
  const enter = (slug: string, given: string, address: string): Promise<Response> =>
    enterPage(here, slug, given, address);
  const one = await statusesOf(many, () => enter("acme", "no", stranger));
  expect(one).toEqual({ 403: 5, 429: many - 5 });
  expect((await enter("acme", password, person)).status).toBe(303);
  const all = await statusesOf(many, (at) => enter("acme", "no", `203.0.113.${100 + at}`));
  expect(all).toEqual({ 403: limits.signInTriesMax - 6, 429: 21 });
  expect((await enter("wile", password, "203.0.113.100")).status).toBe(303);
});

const enterPage = (
  { post }: StatusScene,
  slug: string,
  password: string,
  address: string,
): Promise<Response> => post(`/status/${slug}/sign-in`, { password }, from(address));
