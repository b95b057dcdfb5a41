import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { pngOf } from "../../../support/png-picture.ts";
import { sentForm } from "../../../support/sent-form.ts";
import {
  byAccount,
  cookieOf,
  formTokenIn,
  password,
  signedIn,
} from "../../../support/signed-in.ts";

const look = "/status-pages/1/look";
const url = "https://a.example/x.png";

/** The form as a browser sends it with a file. */
function withFile(form: URLSearchParams): FormData {
  const body = new FormData();
  for (const [name, value] of form) if (name !== "icon_file") body.append(name, value);
  body.append("icon_file", new Blob([pngOf(64, 64)]), "a.png");
  return body;
}

test("an icon's file that was overtaken is asked for again, and is saved then", async () => {
  const { get, post, service } = await operatorScene({ days: 0 });
  const text = async (path: string): Promise<string> => (await get(path)).text();
  const send = (form: URLSearchParams): Promise<Response> =>
    fetch(`${service.url}${look}`, {
      method: "POST",
      body: withFile(form),
      headers: { accept: "text/html" },
      redirect: "manual",
    });
  await post("/status-pages", {
    form: formTokenIn(await text("/status-pages/new")),
    title: "Acme",
    slug: "acme",
  });
  const [ann, bob] = [1, 2].map(() => text(look));
  const mine = sentForm((await bob) ?? "", look);
  const theirs = sentForm((await ann) ?? "", look);
  theirs.set("icon", url);
  expect((await post(look, theirs)).status).toBe(303);
  mine.set("custom_theme.light.--primary", "#117733");
  const late = await send(mine);
  const page = await late.text();
  expect([late.status, page]).toEqual([409, expect.stringContaining("was changed meanwhile")]);
  expect(page).toContain("Picture must be chosen again");
  expect(page).not.toContain("Save both");
  const both = sentForm(page, look);
  both.set("edit", "yes");
  const next = await (await post(look, both)).text();
  expect(next).toContain("must be chosen again");
  const again = sentForm(next, look);
  expect([again.get("icon"), again.get("custom_theme.light.--primary")]).toEqual([url, "#117733"]);
  expect((await send(again)).status).toBe(303);
  const after = await text(look);
  expect(after).toContain("The icon now");
  expect(sentForm(after, look).get("custom_theme.light.--primary")).toBe("#117733");
});

test("an icon's file that came after the session had ended is asked for after signing in", async () => {
  const scene = await operatorScene({ days: 0, pages: "signed in" });
  const ed = await byAccount(scene, "ed@acme.example", "editor");
  await ed.send("/status-pages", { title: "Acme", slug: "acme" });
  const form = sentForm(await ed.text(look), look);
  form.set("icon", url);
  await ed.send("/sign-out");
  const send = (cookie: string): Promise<Response> =>
    fetch(`${scene.service.url}${look}`, {
      method: "POST",
      body: withFile(form),
      redirect: "manual",
      headers: { accept: "text/html", cookie },
    });
  const late = await send(ed.cookie);
  const signIn = new URL(late.headers.get("location") ?? "", scene.service.url);
  const next = signIn.searchParams.get("next") ?? "";
  expect([late.status, signIn.pathname]).toEqual([303, "/sign-in"]);
  const cookie = cookieOf(await scene.post("/sign-in", { email: "ed@acme.example", password }));
  const inNext = await send(cookie);
  const own = signedIn(scene, cookie);
  for (const path of [next, inNext.headers.get("location") ?? ""]) {
    const page = await own.text(path);
    expect(page).toContain("to be chosen again");
    const sent = await own.send(path, {});
    const asked = await sent.text();
    expect([sent.status, asked]).toEqual([422, expect.stringContaining("must be chosen again")]);
    expect(sentForm(asked, look).get("icon")).toBe(url);
  }
});
