import { expect, test } from "vitest";
import { operatorScene } from "../../../../support/operator-scene.ts";
import { sentForm } from "../../../../support/sent-form.ts";
import { byAccount, type SignedIn } from "../../../../support/signed-in.ts";
import { generatedPage } from "../../../../support/status-page-scene.ts";

const path = "/status-pages/1/reports/new";

test("of two who report one outage, the second one learns it before both are published, and a third one too", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  await generatedPage(scene.service);
  const named = async (name: string): Promise<SignedIn> =>
    byAccount(scene, `${name}@example.com`, "editor");
  const [ann, bob, cid] = [await named("ann"), await named("bob"), await named("cid")];
  const written = async (who: SignedIn, title: string): Promise<URLSearchParams> => {
    const form = sentForm(await who.text(path), path);
    form.delete("components");
    form.append("components", "1");
    for (const [name, value] of [
      ["title", title],
      ["message", "We look into it."],
      ["impact", "major_outage"],
    ] as const)
      form.set(name, value);
    return form;
  };
  const send = async (who: SignedIn, form: URLSearchParams) => {
    const answer = await scene.post(path, form, { cookie: who.cookie });
    return { status: answer.status, page: await answer.text() };
  };
  const first = await written(ann, "By Ann");
  const second = await written(bob, "By Bob");
  const third = await written(cid, "By Cid");
  const elsewhere = await written(cid, "Another component");
  elsewhere.set("components", "2");
  expect((await send(ann, first)).status).toBe(303);
  const stopped = await send(bob, second);
  expect(stopped.status).toBe(409);
  expect(stopped.page).toContain(
    "Not published yet: the same was reported after you opened this form.",
  );
  expect(stopped.page.replaceAll(/\s+/g, " ")).toMatch(
    /ann reported <strong>By Ann<\/strong> \(Investigating\) at <time/,
  );
  expect(stopped.page).toContain("Add an update to it</a>");
  expect(stopped.page).toContain("Publish anyway");
  expect(stopped.page).toContain('value="By Bob"');
  const anyway = sentForm(stopped.page, path);
  // Meanwhile, a third one publishes, who knew of the first one.
  const knowing = sentForm((await send(cid, third)).page, path);
  expect((await send(cid, knowing)).status).toBe(303);
  const again = await send(bob, anyway);
  expect(again.status).toBe(409);
  expect(again.page).toContain("By Cid");
  expect((await send(bob, sentForm(again.page, path))).status).toBe(303);
  // What is about something else is not stopped.
  expect((await send(cid, elsewhere)).status).toBe(303);
});
