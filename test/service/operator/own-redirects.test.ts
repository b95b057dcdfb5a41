import { once } from "node:events";
import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { Browsing } from "../../support/browsing.ts";
import { identityProvider } from "../../support/identity-provider.ts";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import { statusScene } from "../status-site/status-scene.ts";

/** Where a browser that reads one of these as it stands ends up at another host. */
const elsewhere = [
  "//evil.test/",
  "https://evil.test/",
  "/\\evil.test",
  "\\\\evil.test",
  "/.//evil.test",
  "/%2e//evil.test",
  "/%2E/%2e//evil.test",
  "/a/..//evil.test",
  "/a/%2e%2e//evil.test",
  "/./\\evil.test",
  "/.\\/evil.test",
  "/\t/evil.test",
  "/\n\\evil.test",
  "///evil.test",
  "/..//..//evil.test",
  "javascript:alert(1)",
  "evil.test",
];

/** The host at which a browser ends up that is led to `to` by `from`. */
const hostOf = (to: string | null, from: string): string => new URL(to ?? "", from).host;

const keyOf = async ({ service }: OperatorScene): Promise<string> =>
  (await service.admin.createApiKey({ name: "ops", scope: "write" })).key;

describe("an operator who signs in", () => {
  test("stays with the service, whatever address the form came with", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const { service, post, clock } = scene;
    const { host } = new URL(service.url);
    const secret = await keyOf(scene);
    for (const next of elsewhere) {
      const answer = await post("/sign-in", { secret, next });
      const to = answer.headers.get("location");
      expect([next, answer.status, hostOf(to, service.url)]).toEqual([next, 303, host]);
      clock.suspend(60_000);
    }
    const kept = await post("/sign-in", { secret, next: "/monitors/../monitors/3?range=7d#x" });
    expect(kept.headers.get("location")).toBe("/monitors/3?range=7d");
  });

  test("stays with the service, too, if they had signed in before or end a silence", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const { service, get, post } = scene;
    const { host } = new URL(service.url);
    const signedIn = await post("/sign-in", { secret: await keyOf(scene), next: "/" });
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const page = await (await get("/", { cookie })).text();
    const form = /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";
    for (const next of elsewhere) {
      const query = new URLSearchParams({ next }).toString();
      const again = await get(`/sign-in?${query}`, { cookie });
      const ended = await post("/silences/1/end", { form, back: next }, { cookie });
      for (const answer of [again, ended]) {
        const to = answer.headers.get("location");
        expect([next, answer.status, hostOf(to, service.url)]).toEqual([next, 303, host]);
      }
    }
  });

  test("stays with the service if the identity provider leads them back", async () => {
    const provider = await identityProvider();
    const oidc = provider.settingsFor(() => scene.service.url, { reader: ["*"] });
    const scene: OperatorScene = await operatorScene({ pages: "signed in", days: 0, oidc });
    const { service, clock } = scene;
    provider.open(`${service.url}/sign-in/callback`, { ann: { name: "Ann" } });
    for (const next of elsewhere) {
      const query = new URLSearchParams({ next }).toString();
      const page = await new Browsing().open(`${service.url}/sign-in/start?${query}`);
      const to = /content="0; url=([^"]*)"/.exec(await page.text())?.[1] ?? "nothing";
      expect([next, to]).toEqual([next, "/"]);
      clock.suspend(60_000);
    }
  });
});

describe("a reader who is let in to a status page", () => {
  test.each([
    ["below its path", "", "/status/acme"],
    ["at its own domain", "status.acme.example", ""],
  ])("stays there: %s", async (_, customDomain, base) => {
    await using here = await statusScene();
    const password = "open sesame";
    const access = { accessType: "PAGE_ACCESS_TYPE_PASSWORD_PROTECTED", password };
    const page = { title: "Acme", slug: "acme", customDomain, published: true };
    await here.call("CreateStatusPage", { ...page, ...access });
    const host = customDomain === "" ? new URL(here.service.url).host : customDomain;
    const enter = async (next: string): Promise<string> => {
      const asked = request(`${here.service.url}${base}/sign-in`, {
        method: "POST",
        headers: { host, "content-type": "application/x-www-form-urlencoded" },
      });
      asked.end(new URLSearchParams({ password, next }).toString());
      const [answer] = await once(asked, "response");
      answer.resume();
      return `${answer.statusCode} ${hostOf(answer.headers.location, `https://${host}/`)}`;
    };
    for (const next of elsewhere.flatMap((one) => [one, `${base}${one}`, `${base}/..${one}`])) {
      expect([next, await enter(next)]).toEqual([next, `303 ${host}`]);
      here.clock.suspend(60_000);
    }
  });
});
