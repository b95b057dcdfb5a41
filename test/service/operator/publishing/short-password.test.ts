import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

async function accessScene() {
  const { get, post } = await operatorScene({ days: 0 });
  const form = formTokenIn(await (await get("/status-pages/new")).text());
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  return async (typed: Record<string, string>) => {
    const answer = await post("/status-pages/1/access", { form, ...typed });
    const text = await answer.text();
    const refused = [...text.matchAll(/<p[^>]*class="wrong-line"[^>]*>([^<]*)/g)];
    return [answer.status, ...refused.map(([, said = ""]) => said.trim())];
  };
}

test("a short password of a status page is refused before it is saved; one that is left empty stays", async () => {
  const saved = await accessScene();
  const access_type = "password";
  expect(await saved({ access_type, password: "abc" })).toEqual([
    422,
    "It needs 8 characters or more: strangers can find a shorter one by trying.",
  ]);
  for (const password of ["abcdefgh", ""])
    expect(await saved({ access_type, password })).toEqual([303]);
});

test("only the field of the access that is chosen is checked, and what is wrong is said at it", async () => {
  const saved = await accessScene();
  const wrong = { auth_email_domains: "@@", allowed_ip_ranges: "foo", password: "abc" };
  expect(await saved({ ...wrong, access_type: "public" })).toEqual([303]);
  expect(await saved({ ...wrong, access_type: "email-domain" })).toEqual([
    422,
    "It must be domains with a dot, for example acme.example.",
  ]);
  const [status, ...refused] = await saved({ ...wrong, access_type: "ip-restriction" });
  expect([status, refused.length]).toEqual([422, 1]);
});
