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

const action = "/status-pages/1/icon";
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
    fetch(`${service.url}${action}`, {
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
  const mine = sentForm((await bob) ?? "", action);
  const theirs = sentForm((await ann) ?? "", action);
  theirs.set("icon", url);
  expect((await post(action, theirs)).status).toBe(303);
  const late = await send(mine);
  const page = await late.text();
  expect([late.status, page]).toEqual([409, expect.stringContaining("choose the file again")]);
  expect(page).not.toContain("Save both");
  const again = sentForm(page, action);
  expect(again.get("icon")).toBe(url);
  expect((await send(again)).status).toBe(303);
  expect(await text(look)).toContain("The icon now");
});

test("an icon's file that came after the session had ended is asked for after signing in", async () => {
  const scene = await operatorScene({ days: 0, pages: "signed in" });
  const ed = await byAccount(scene, "ed@acme.example", "editor");
  await ed.send("/status-pages", { title: "Acme", slug: "acme" });
  const form = sentForm(await ed.text(look), action);
  await ed.send("/sign-out");
  const send = (cookie: string): Promise<Response> =>
    fetch(`${scene.service.url}${action}`, {
      method: "POST",
      body: withFile(form),
      redirect: "manual",
      headers: { accept: "text/html", cookie },
    });
  const late = await send(ed.cookie);
  const signIn = new URL(late.headers.get("location") ?? "", scene.service.url);
  const next = signIn.searchParams.get("next") ?? "";
  expect([late.status, signIn.pathname, next]).toEqual([
    303,
    "/sign-in",
    `${look}?notice=files-again`,
  ]);
  const cookie = cookieOf(await scene.post("/sign-in", { email: "ed@acme.example", password }));
  expect(await signedIn(scene, cookie).text(next)).toContain("choose the file again");
  const inNext = await send(cookie);
  expect(inNext.headers.get("location")).toBe(`${look}?notice=files-again`);
});
