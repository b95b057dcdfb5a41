import { beforeEach, describe, expect, test } from "vitest";
import type { OperatorForm } from "#service/operator/page-request";
import { forms, pages } from "#service/operator/page-routes";
import { type Role, roles } from "#service/store/people-store";
import { Browsing } from "../../support/browsing.ts";
import { type ChangingSettings, identityProvider } from "../../support/identity-provider.ts";
import { generatedPage } from "../../support/status-page-scene.ts";
import { samplePath } from "../../support/sample-path.ts";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";

/*
 * Who may do what, as a table that is made from the routes: each page and each form × each kind of person. A route that
 * this test cannot call fails it, so none is left out. What pages offer is compared with the same table.
 */

interface Route {
  readonly method: "GET" | "POST";
  /** An address of its kind, of a thing that is not there: what is let in changes nothing. */
  readonly path: string;
  readonly role: Role;
}

const routes: readonly Route[] = [
  ...pages.map(({ path, role }) => ({ method: "GET", path: samplePath(path), role }) as const),
  ...forms.map(({ path, role }) => ({ method: "POST", path: samplePath(path), role }) as const),
];
const shown = ({ method, path }: Route): string => `${method} ${path}`;

const noRules = { reader: [], responder: [], editor: [], owner: [] };

let scene: OperatorScene;
let settings: ChangingSettings;
let cookie: string;
let token: string;

const formTokenIn = (page: string): string => /name="form" value="([^"]+)"/.exec(page)?.[1] ?? "";

/** One person who is signed in by the identity provider: its rule says the role, and may be another at any time. */
async function open(days: number): Promise<void> {
  const provider = await identityProvider();
  settings = provider.settingsFor(() => scene.service.url, { owner: ["*"] });
  scene = await operatorScene({ pages: "signed in", days, oidc: settings });
  provider.open(`${scene.service.url}/sign-in/callback`, { ann: { name: "Ann" } });
  const browsing = new Browsing();
  await browsing.open(`${scene.service.url}/sign-in/start`);
  ({ cookie } = browsing);
  token = formTokenIn(await (await scene.get("/", { cookie })).text());
}

type Headers = Readonly<Record<string, string>>;

/** In one word what a route answers: `in` is any answer of its own, also that a thing is not there. */
async function answered(
  route: Route,
  { headers = {}, form = token }: { headers?: Headers; form?: string } = {},
): Promise<string> {
  const sent = { cookie, ...headers };
  const response =
    route.method === "GET"
      ? await scene.get(route.path, sent)
      : await scene.post(route.path, { form }, sent);
  const text = (await response.text()).replaceAll(/\s+/g, " ");
  const to = response.headers.get("location") ?? "";
  if (response.status === 403 && text.includes("You may not do this"))
    return text.includes(`It needs the role <strong>${route.role}</strong>`) ? "refused" : "?";
  if (response.status === 403) return "not our form";
  if (response.status === 401 || to.startsWith("/sign-in?")) return "sign in";
  return response.status < 500 && response.status !== 405 ? "in" : `${response.status}`;
}

async function table(
  of: readonly Route[],
  options: Parameters<typeof answered>[1] = {},
): Promise<Readonly<Record<string, string>>> {
  const rows: [string, string][] = [];
  for (const route of of) rows.push([shown(route), await answered(route, options)]);
  return Object.fromEntries(rows);
}

const expected = (of: readonly Route[], word: (route: Route) => string) =>
  Object.fromEntries(of.map((route) => [shown(route), word(route)]));

const posts = routes.filter(({ method }) => method === "POST");

test("every page and form has an address that this table can call, and forms need more than a reader", () => {
  const all = [...pages, ...forms];
  expect(all.filter(({ path }) => !path.test(samplePath(path))).map(({ path }) => path)).toEqual(
    [],
  );
  expect(routes.length).toBeGreaterThan(30);
  const ofReaders = posts.filter(({ role }) => role === "reader").map(({ path }) => path);
  expect(ofReaders.filter((path) => !path.startsWith("/settings/"))).toEqual([]);
});

describe("every page and form", () => {
  beforeEach(() => open(0));

  test.each(roles)(
    "lets in a person with the role %s, or says which role it needs",
    async (role) => {
      settings.rules = { ...noRules, [role]: ["*"] };
      const isIn = (route: Route) => roles.indexOf(role) >= roles.indexOf(route.role);
      expect(await table(routes)).toEqual(
        expected(routes, (route) => (isIn(route) ? "in" : "refused")),
      );
    },
  );

  test("sends a stranger to sign in", async () => {
    expect(await table(routes, { headers: { cookie: "" } })).toEqual(
      expected(routes, () => "sign in"),
    );
  });
});

describe("every form", () => {
  beforeEach(() => open(0));

  test("refuses the token of another person's session, an owner's too", async () => {
    const { key: secret } = await scene.service.admin.createApiKey({ name: "ops", scope: "write" });
    const signedIn = await scene.post("/sign-in", { secret });
    const other = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const form = formTokenIn(await (await scene.get("/", { cookie: other })).text());
    expect(await table(posts, { form })).toEqual(expected(posts, () => "not our form"));
    expect(await table(posts, { form: "" })).toEqual(expected(posts, () => "not our form"));
  });

  test("refuses a post from another site, whichever way the browser says so", async () => {
    for (const headers of [{ "sec-fetch-site": "cross-site" }, { origin: "http://evil.test" }])
      expect(await table(posts, { headers })).toEqual(expected(posts, () => "not our form"));
  });
});

/** Every page that links lead to from the overview, with the data of a service that has run for two weeks. */
async function crawled(): Promise<ReadonlyMap<string, string>> {
  const seen = new Map<string, string>();
  const waiting = ["/"];
  for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
    if (seen.has(path)) continue;
    const answer = await scene.get(path, { cookie });
    const text = answer.status === 200 || answer.status === 403 ? await answer.text() : "";
    seen.set(path, text);
    const links = [...text.matchAll(/href="(\/[\w/-]*)(?:[?#][^"]*)?"/g)].map(([, to = ""]) => to);
    const isPage = (to: string) => pages.some((page) => page.path.test(to));
    waiting.push(...links.filter((to) => isPage(to) && !seen.has(to)));
  }
  return seen;
}

describe("every page that a person comes to by links", () => {
  beforeEach(async () => {
    await open(14);
    await generatedPage(scene.service);
  });

  test.each(roles)("offers the role %s nothing that it may not do", async (role) => {
    settings.rules = { ...noRules, [role]: ["*"] };
    const beyond: string[] = [];
    const offered = new Set<OperatorForm>();
    const found = await crawled();
    for (const [path, text] of found) {
      if (text.includes("You may not do this")) beyond.push(`a link leads to ${path}`);
      for (const [, action = ""] of text.matchAll(/(?:form)?action="(\/[^"?]*)/g)) {
        const form = forms.find((one) => one.path.test(action));
        if (form !== undefined) offered.add(form);
        if (form !== undefined && roles.indexOf(form.role) > roles.indexOf(role))
          beyond.push(`${path} has a form for ${action}`);
      }
    }
    expect([...new Set(beyond)]).toEqual([]);
    expect(found.size).toBeGreaterThan(15);
    expect(offered.size).toBeGreaterThanOrEqual(
      { reader: 0, responder: 5, editor: 20, owner: 25 }[role],
    );
  });
});
