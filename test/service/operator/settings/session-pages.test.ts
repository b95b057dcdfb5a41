import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hours } from "#base/units";
import { operatorScene } from "../../../support/operator-scene.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../../support/postgres-server.ts";
import { twoReplicas } from "../../../support/two-replicas.ts";
import {
  byAccount,
  byKey,
  cookieOf,
  formTokenIn,
  password,
  signedIn,
} from "../../../support/signed-in.ts";

const onPhone = {
  "user-agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
};
const onDesk = { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0" };
const idsIn = (page: string): readonly string[] =>
  [...page.matchAll(/settings\/sessions\/(\d+)\/end/g)].map(([, id = ""]) => id);

test("a person sees where they are signed in, ends one of these sessions, and all others", async () => {
  const here = await operatorScene({ pages: "signed in", days: 0 });
  const desk = await byAccount(here, "ann@example.com", "editor", onDesk);
  const again = async () =>
    signedIn(
      here,
      cookieOf(await here.post("/sign-in", { email: "ann@example.com", password })),
      onPhone,
    );
  const phone = await again();
  expect((await phone.get("/settings/sessions")).status).toBe(200);
  here.clock.suspend(hours(1));
  const page = await desk.text("/settings/sessions");
  for (const words of ["Firefox on Linux", "Safari on iPhone", "127.0.0.1", "this session"])
    expect(page).toContain(words);
  const [id = ""] = idsIn(page);
  const asked = await desk.text(`/settings/sessions/${id}/end`);
  expect(asked).toContain("Safari on iPhone");
  expect(asked).toContain("Its browser is signed out at once");
  expect((await desk.send(`/settings/sessions/${id}/end`)).status).toBe(303);
  expect((await desk.get(`/settings/sessions/${id}/end`)).status).toBe(404);
  expect([(await phone.get("/")).status, (await desk.get("/")).status]).toEqual([303, 200]);
  const [one, other] = [await again(), await again()];
  await Promise.all([one, other].map((session) => session.get("/settings/sessions")));
  await desk.send("/settings/sessions/end-others");
  const left = [await one.get("/"), await other.get("/"), await desk.get("/")];
  expect(left.map(({ status }) => status)).toEqual([303, 303, 200]);
});

test("only an owner sees and ends the sessions of other people", async () => {
  const here = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byAccount(here, "ann@example.com", "editor");
  const owner = await byKey(here, "write");
  await Promise.all([ann, owner].map((person) => person.get("/settings/sessions")));
  expect(idsIn(await ann.text("/settings/sessions"))).toEqual([]);
  const [id = ""] = idsIn(await owner.text("/settings/sessions"));
  const strangers = ["1", "2", "3"].map((one) => ann.send(`/settings/sessions/${one}/end`));
  for (const answer of await Promise.all(strangers)) expect([303, 404]).toContain(answer.status);
  expect((await owner.get("/")).status).toBe(200);
  expect(id).not.toBe("");
});

test("the last use of a session is said as far as it is known: this one now, another one within five minutes", async () => {
  const here = await operatorScene({ pages: "signed in", days: 0 });
  const owner = await byKey(here, "write");
  const ann = await byAccount(here, "ann@example.com", "editor");
  const used = async (name: string): Promise<string> => {
    const page = await owner.text("/settings/sessions");
    const row = page.slice(page.indexOf(`<th scope="row">${name}</th>`));
    const [, cell = ""] = /data-label="Last used">(.*?)<\/td>/.exec(row) ?? [];
    return cell
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("\u00a0", " ")
      .trim();
  };
  await ann.get("/settings/sessions");
  here.clock.suspend(4 * 60_000);
  await ann.get("/settings/sessions");
  expect([await used("Key “ops”"), await used("ann")]).toEqual(["now", "in the last 5 min"]);
  here.clock.suspend(60_000);
  expect(await used("ann")).toBe("22 Nov, 12:00 UTC or up to 5 min later");
  await ann.get("/settings/sessions");
  expect(await used("ann")).toBe("in the last 5 min");
  here.clock.suspend(hours(7 * 24));
  expect((await owner.get("/")).status).toBe(303);
});

describe.skipIf(!isPostgresInstalled())("two replicas on one PostgreSQL", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("list the same sessions, and what is ended at one is over at both", async () => {
    const [one, other] = await twoReplicas(server);
    const ask = (url: string, init: RequestInit) => fetch(url, { redirect: "manual", ...init });
    const { key } = await one.admin.createApiKey({ name: "ops", scope: "write" });
    const signIn = async (url: string) => {
      const body = new URLSearchParams({ secret: key });
      return cookieOf(await ask(`${url}/sign-in`, { method: "POST", body }));
    };
    const [cookie, lost] = [await signIn(one.url), await signIn(other.url)];
    await ask(`${other.url}/settings/sessions`, { headers: { cookie: lost } });
    const list = await ask(`${one.url}/settings/sessions`, { headers: { cookie } });
    const page = await list.text();
    const [id = ""] = idsIn(page);
    const body = new URLSearchParams({ form: formTokenIn(page) });
    const end = `${one.url}/settings/sessions/${id}/end`;
    expect((await ask(end, { method: "POST", body, headers: { cookie } })).status).toBe(303);
    for (const { url } of [one, other]) {
      expect((await ask(url, { headers: { cookie: lost } })).status).toBe(401);
      expect((await ask(url, { headers: { cookie } })).status).toBe(200);
    }
  });
});
