import { beforeAll, afterAll, describe, expect, test } from "vitest";
import { openAccess } from "#service/edge/access";
import { Browsing } from "../../support/browsing.ts";
import { identityProvider } from "../../support/identity-provider.ts";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres-server.ts";
import { twoReplicas } from "../../support/two-replicas.ts";

const password = "correct horse battery staple";

/** Ways in: each gives the cookie of a new session. */
const ways: Readonly<Record<string, (scene: OperatorScene) => Promise<string>>> = {
  "an API key": async (scene) => {
    const { key } = await scene.service.admin.createApiKey({ name: "ops", scope: "write" });
    return cookieOf(await scene.post("/sign-in", { secret: key }));
  },
  "the password": async (scene) => {
    await using access = await openAccess(scene.database, scene.clock);
    if ((await access.password.kept()) === undefined) await access.password.set(password);
    return cookieOf(await scene.post("/sign-in", { secret: password }));
  },
  "the identity provider": async ({ service }) => {
    const browsing = new Browsing();
    await browsing.open(`${service.url}/sign-in/start`);
    return browsing.cookie;
  },
};

async function sceneWithProvider(): Promise<OperatorScene> {
  const provider = await identityProvider();
  const oidc = provider.settingsFor(() => scene.service.url, { owner: ["*"] });
  const scene: OperatorScene = await operatorScene({ pages: "signed in", days: 0, oidc });
  provider.open(`${scene.service.url}/sign-in/callback`, { ann: { name: "Ann" } });
  return scene;
}

const cookieOf = (response: Response): string =>
  (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
const formTokenIn = (page: string): string => /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";

test.each(Object.keys(ways))(
  "a copy of the cookie opens nothing once a person who came by %s has signed out, and other sessions stay",
  async (way) => {
    const scene = await sceneWithProvider();
    const { get, post } = scene;
    const start = ways[way];
    if (start === undefined) throw new Error("there is no such way");
    const cookie = await start(scene);
    const other = await start(scene);
    const page = await get("/", { cookie });
    expect(page.status).toBe(200);
    const form = formTokenIn(await page.text());
    // A person who types the address, or comes back to it, is not signed out by that.
    expect((await get("/sign-out", { cookie })).headers.get("location")).toBe("/");
    expect((await post("/sign-out", { form }, { cookie })).status).toBe(303);
    expect((await get("/", { cookie })).headers.get("location")).toBe("/sign-in?next=%2F");
    expect((await get("/overview.json", { cookie, accept: "application/json" })).status).toBe(401);
    const late = await post("/monitors/1/check", { form }, { cookie });
    expect(late.headers.get("location")).toMatch(/^\/sign-in\?next=%2Fkept-forms%2F/);
    const program = await post("/monitors/1/check", { form }, { cookie, accept: "*/*" });
    expect(program.status).toBe(401);
    expect((await get("/", { cookie: other })).status).toBe(200);
  },
);

describe.skipIf(!isPostgresInstalled())("two replicas on one PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("both know at once that a person has signed out at one of them", async () => {
    const [one, other] = await twoReplicas(server);
    const ask = (url: string, init: RequestInit) => fetch(url, { redirect: "manual", ...init });
    const { key } = await one.admin.createApiKey({ name: "ops", scope: "write" });
    const body = new URLSearchParams({ secret: key });
    const cookie = cookieOf(await ask(`${one.url}/sign-in`, { method: "POST", body }));
    const page = await ask(other.url, { headers: { cookie } });
    expect(page.status).toBe(200);
    const form = new URLSearchParams({ form: formTokenIn(await page.text()) });
    await ask(`${one.url}/sign-out`, { method: "POST", body: form, headers: { cookie } });
    for (const { url } of [one, other])
      expect((await ask(url, { headers: { cookie } })).status).toBe(401);
  });
});
