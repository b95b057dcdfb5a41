import path from "node:path";
import { describe, expect, test } from "vitest";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { forms } from "#service/operator/page-routes";
import { operatorScene, type OperatorScene } from "../../support/operator-scene.ts";
import {
  byAccount,
  cookieOf,
  formTokenIn,
  password,
  type SignedIn,
} from "../../support/signed-in.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import { quickFolder } from "../../support/running-service.ts";
import { sendingNowhere } from "../../support/sending-nowhere.ts";
import { samplePath } from "../../support/sample-path.ts";

/*
 * What happens to each form while a person types: the session ends, the service restarts, the thing is deleted in
 * another tab. It is a table that is made from the routes, so no form is left out.
 */

const email = "ann@example.com";
const typed = { name: "typed & kept", title: "typed & kept" };
const paths = forms.map((form) => samplePath(form.path));
/** Of a thing that the form is about; a test has none with that id. */
const ofThings = forms
  .filter((form) => form.path.source.includes("(?<id>\\d"))
  .map((form) => samplePath(form.path));
/** What is as wanted without the thing, and carries nothing that was typed. */
const asWanted = {
  "/incidents/999999/acknowledge": "303 false",
  "/incidents/999999/comments/999999/delete": "303 false",
  "/settings/keys/999999/revoke": "200 false",
  "/silences/999999/end": "303 false",
  "/silences/999999/extend": "303 false",
};
/** As a browser sends a form of ours. */
const fromOurPage = { "sec-fetch-site": "same-origin" };

const tableOf = async (
  all: readonly string[],
  ask: (path: string) => Promise<string>,
): Promise<Readonly<Record<string, string>>> => {
  const rows: [string, string][] = [];
  for (const path of all) rows.push([path, await ask(path)]);
  return Object.fromEntries(rows);
};
const each = (all: readonly string[], word: string) =>
  Object.fromEntries(all.map((path) => [path, word]));

async function signedInAgain(scene: OperatorScene): Promise<string> {
  return cookieOf(await scene.post("/sign-in", { email, password }));
}
const tokenOf = async ({ text }: SignedIn): Promise<string> => formTokenIn(await text("/settings"));

describe("every form", () => {
  test("is kept if its session has ended, and is sent when its person has signed in again", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const ann = await byAccount(scene, email, "owner");
    const form = await tokenOf(ann);
    await scene.post("/sign-out", { form }, { cookie: ann.cookie });
    const cookie = await signedInAgain(scene);
    const kept = await tableOf(paths, async (path) => {
      const answer = await scene.post(
        path,
        { form, ...typed },
        { cookie: ann.cookie, ...fromOurPage },
      );
      const to = new URL(answer.headers.get("location") ?? "", scene.service.url);
      const next = to.searchParams.get("next") ?? "";
      const page = await (await scene.get(next, { cookie })).text();
      return page.includes("Send it now") && page.includes(`<code>${path}</code>`) ? "kept" : page;
    });
    expect(kept).toEqual(each(paths, "kept"));
  });

  test("is taken by a service that was restarted meanwhile, in the same session", async () => {
    const database = path.join(quickFolder(), "service.sqlite");
    const clock = new FakeClock();
    const start = () =>
      startService({
        database,
        host: "127.0.0.1",
        port: 0,
        clock,
        log: silentLogger,
        pages: "signed in",
        sender: sendingNowhere([], []),
        opensStore: openStoreHere,
      });
    const first = await start();
    const { key: secret } = await first.admin.createApiKey({ name: "ops", scope: "write" });
    const send = (url: string, fields: Record<string, string>, cookie = "") =>
      fetch(url, {
        method: "POST",
        redirect: "manual",
        headers: { accept: "text/html", cookie, ...fromOurPage },
        body: new URLSearchParams(fields),
      });
    const cookie = cookieOf(await send(`${first.url}/sign-in`, { secret }));
    const page = await fetch(`${first.url}/settings`, { headers: { cookie } });
    const form = formTokenIn(await page.text());
    await first[Symbol.asyncDispose]();
    await using second = await start();
    const taken = await tableOf(paths, async (to) => {
      const answer = await send(`${second.url}${to}`, { form, ...typed }, cookie);
      const isAway = (answer.headers.get("location") ?? "").startsWith("/sign-in");
      return isAway || answer.status === 403 || answer.status >= 500 ? `${answer.status}` : "taken";
    });
    expect(taken).toEqual(each(paths, "taken"));
  });

  test("says that its thing is gone if it was deleted in another tab, with what was typed", async () => {
    const scene = await operatorScene({ pages: "signed in", days: 0 });
    const ann = await byAccount(scene, email, "owner");
    const form = await tokenOf(ann);
    const said = await tableOf(ofThings, async (to) => {
      const answer = await scene.post(
        to,
        { form, ...typed, current: password, length: "1h" },
        { cookie: ann.cookie, ...fromOurPage },
      );
      const page = await answer.text();
      const hasText = page.includes("typed &amp; kept");
      return answer.status === 404 && hasText ? "gone, and kept" : `${answer.status} ${hasText}`;
    });
    expect(said).toEqual({ ...each(ofThings, "gone, and kept"), ...asWanted });
  });
});
