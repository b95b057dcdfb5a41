import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTcpServer, type Server } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { notifyTimeout } from "#limits/alerts-limits";
import * as limits from "#limits/pages-limits";
import type { OidcSettings } from "#service/oidc/oidc-provider";
import { Browsing } from "../../support/browsing.ts";
import {
  type ChangingSettings,
  type IdentityProvider,
  identityProvider,
  type ProviderClaims,
} from "../../support/identity-provider.ts";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import { listenLocally } from "../../servers/listen-locally.ts";

const ann = {
  email: "Ann@Example.com",
  email_verified: true,
  name: "Ann",
  groups: ["night shift"],
};

interface Scene {
  readonly scene: OperatorScene;
  readonly provider: IdentityProvider;
  readonly settings: ChangingSettings;
  readonly browsing: Browsing;
  /** Goes to the provider and back; the page at the end. */
  readonly signIn: () => Promise<{ readonly status: number; readonly text: string }>;
  /** From now on the provider knows these people. */
  readonly people: (people: Readonly<Record<string, ProviderClaims>>) => void;
}

const noRules = { reader: [], responder: [], editor: [], owner: [] };

/** A service and a provider where Ann is signed in; whoever has an address at example.com may change things. */
async function signInScene(): Promise<Scene> {
  const provider = await identityProvider();
  const rules = { editor: ["@example.com"] };
  const settings = provider.settingsFor(() => scene.service.url, rules);
  const scene: OperatorScene = await operatorScene({ pages: "signed in", days: 0, oidc: settings });
  const people: Scene["people"] = (all) =>
    provider.open(`${scene.service.url}/sign-in/callback`, all);
  people({ ann });
  const browsing = new Browsing();
  const signIn = async () => {
    const answer = await browsing.open(`${scene.service.url}/sign-in/start?next=/incidents`);
    return { status: answer.status, text: await answer.text() };
  };
  return { scene, provider, settings, browsing, signIn, people };
}

const faultIn = (page: string): string =>
  (/role="alert">([^<]*)</.exec(page)?.[1] ?? "").replaceAll("&#39;", "'");

describe("a person whom a rule lets in", () => {
  test("is led to the provider and back to where they wanted to go, and may do what the rule says", async () => {
    const { scene, browsing, signIn } = await signInScene();
    const page = await signIn();
    expect(page.text).toContain('content="0; url=/incidents"');
    const [, to] = browsing.visited;
    expect(Object.fromEntries(to?.searchParams ?? [])).toMatchObject({
      response_type: "code",
      code_challenge_method: "S256",
      scope: "openid email profile",
    });
    for (const name of ["state", "nonce", "code_challenge"])
      expect(to?.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
    const shown = await (await scene.get("/", { cookie: browsing.cookie })).text();
    expect(shown).toContain("Ann@Example.com");
    expect(shown).toMatch(/aria-label="Account: [^"]*, editor"/);
    expect(JSON.stringify(scene.log.said)).not.toContain("planted");
  });

  test("has a cookie over TLS meanwhile that no other host of the domain can set", async () => {
    const { scene } = await signInScene();
    const start = await scene.get("/sign-in/start", { "x-forwarded-proto": "https" });
    expect(start.headers.get("set-cookie")).toMatch(
      /^__Host-picket-sign-in=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/,
    );
  });

  test("is out after half a day, and as soon as the rule is gone", async () => {
    const { scene, settings, browsing, signIn } = await signInScene();
    await signIn();
    const { cookie } = browsing;
    const seen = async () => (await scene.get("/", { cookie })).status;
    expect(await seen()).toBe(200);
    settings.rules = { ...noRules, reader: ["*"] };
    expect(await seen()).toBe(303);
    settings.rules = { ...noRules, reader: ["@example.com"] };
    expect(await (await scene.get("/", { cookie })).text()).toMatch(
      /aria-label="Account: [^"]*, reader"/,
    );
    scene.clock.suspend(limits.personSessionLength + 1_000);
    expect(await seen()).toBe(303);
  });
});

describe("a person who is not let in", () => {
  test("reads why, and so does the log", async () => {
    const { scene, browsing, signIn, people } = await signInScene();
    const reads = async (claims: Readonly<Record<string, ProviderClaims>>) => {
      people(claims);
      const { status, text } = await signIn();
      return [status, faultIn(text)];
    };
    const said = [
      await reads({ ann: { ...ann, email: "ann@other.test" } }),
      await reads({ ann: { ...ann, email_verified: false } }),
      await reads({}),
    ];
    expect(said).toEqual([
      [403, "No rule of this service lets ann@other.test sign in."],
      [
        403,
        "The identity provider does not say that the e-mail address of Ann@Example.com is verified, so no rule for addresses lets this person sign in.",
      ],
      [502, "The identity provider did not let this person in: access_denied."],
    ]);
    const logged = scene.log.said.filter(({ level }) => level === "warn");
    expect(logged.map(({ message }) => message)).toEqual(
      [
        "no rule of this service lets ann@other.test sign in",
        "the identity provider does not say that the e-mail address of Ann@Example.com",
        "the identity provider did not",
      ].map((start) => expect.stringContaining(`could not sign in: ${start}`)),
    );
    expect((await scene.get("/", { cookie: browsing.cookie })).status).toBe(303);
  });
});

describe("an answer that does not belong to the sign-in", () => {
  test("of another browser, with another state, a second time or too late, signs no one in", async () => {
    const { scene, browsing, signIn } = await signInScene();
    await signIn();
    const answer = browsing.visited.at(-1)?.href ?? "";
    expect(answer).toContain("/sign-in/callback?code=");
    const says = async (by: Browsing, url: string) => faultIn(await (await by.open(url)).text());
    expect(await says(new Browsing(), answer)).toMatch(/^This sign-in was started in another/);
    expect(await says(browsing, answer.replace(/state=[^&]*/, "state=forged"))).toContain(
      "does not belong to this sign-in",
    );
    expect(await says(browsing, answer)).toMatch(/^The identity provider does not take its own/);
    scene.clock.suspend(limits.signInWithin + 1_000);
    expect(await says(browsing, answer)).toMatch(/^This sign-in was .* more than 10 minutes ago/);
  });
});

/** Listens on this machine, and is gone with the test. */
async function listening(server: Server): Promise<string> {
  const port = await listenLocally(server);
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${port}`;
}

const answering = (body: string, status = 200): Promise<string> =>
  listening(
    createServer((_request, response) =>
      response.writeHead(status, { "content-type": "application/json" }).end(body),
    ),
  );

const floods = (): Promise<string> =>
  listening(
    createServer((_request, response) => {
      const more = (): void => {
        while (response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      response.writeHead(200, { "content-type": "application/json" });
      more();
    }),
  );

describe("a provider that is broken", () => {
  test("shuts no one out: the page and the log say what is wrong, and a key signs in", async () => {
    const { scene, settings, provider, signIn } = await signInScene();
    const broken: readonly (readonly [Partial<OidcSettings>, RegExp])[] = [
      [{ issuer: await answering("<p>hello") }, /^The identity provider does not answer with JSON/],
      [{ issuer: await answering("{}", 500) }, /^The identity provider does not answer as OpenID/],
      [{ issuer: await floods() }, /^The identity provider answers more than a sign-in needs\.$/],
      [
        { issuer: await answering('{"issuer":"https://other.test"}') },
        /^The identity provider has another name than PICKET_SERVICE_OIDC_ISSUER/,
      ],
      [{ issuer: "https://169.254.169.254" }, /leads to an address that is link-local/],
      [
        { clientSecret: "planted otherwise" },
        /^The identity provider refuses the service's own requests: correct PICKET_SERVICE_OIDC_/,
      ],
    ];
    for (const [change, says] of broken) {
      const before = { ...settings };
      const { issuer, clientSecret } = { ...before, ...change };
      Object.assign(settings, { issuer, clientSecret });
      expect(await outcomeOf(scene, await signIn())).toEqual(brokenButOpen(says));
      Object.assign(settings, { issuer: before.issuer, clientSecret: before.clientSecret });
      scene.clock.suspend(limits.signInWindow);
    }
    provider.close();
    const gone = /^The identity provider is not reached at localhost:\d+: connection refused\.$/;
    expect(await outcomeOf(scene, await signIn())).toEqual(brokenButOpen(gone));
    expect(JSON.stringify(scene.log.said)).not.toContain("planted");
  });

  test("is silent: after its time the page says so; its tries are not those of keys", async () => {
    const silent = createTcpServer();
    const { scene, settings, browsing, signIn } = await signInScene();
    settings.issuer = await listening(silent);
    const asked = once(silent, "connection");
    const page = signIn();
    const [socket] = await asked;
    await scene.clock.advance(notifyTimeout);
    const late = /^The identity provider did not answer within 15 s\.$/;
    expect(await outcomeOf(scene, await page)).toEqual(brokenButOpen(late));
    socket.destroy();
    settings.issuer = await answering("{}", 500);
    const statuses: number[] = [];
    for (let at = 0; at < limits.providerStepsPerAddressMax; at += 1)
      statuses.push((await browsing.open(`${scene.service.url}/sign-in/start`)).status);
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 502), 429]);
    const { key } = await scene.service.admin.createApiKey({ name: "ops", scope: "read" });
    expect((await scene.post("/sign-in", { secret: key })).status).toBe(303);
  });
});

/** What the page says, that the log says it too, and whether a key still signs in. */
async function outcomeOf(
  { log, service, post }: OperatorScene,
  { status, text }: { readonly status: number; readonly text: string },
) {
  const { key } = await service.admin.createApiKey({ name: "ops", scope: "read" });
  const { status: signedIn } = await post("/sign-in", { secret: key });
  const logged = log.said.at(-1)?.message;
  const hasForm = text.includes("API key or password");
  return { status, says: faultIn(text), logged, hasForm, signedIn };
}

const brokenButOpen = (says: RegExp) => ({
  status: 502,
  says: expect.stringMatching(says),
  logged: expect.stringMatching(/^a person could not sign in: /),
  hasForm: true,
  signedIn: 303,
});
