import { beforeEach, expect, test } from "vitest";
import { undoneWithin } from "#limits/service-limits";
import { applyFile } from "../../../support/applied-file.ts";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";
import { byAccount, formTokenIn, type SignedIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

/* What the page says to whom whose form is about something that was deleted; in a browser in every-form-browser.test.ts. */

let scene: OperatorScene;
let ann: SignedIn;
let roy: SignedIn;

beforeEach(async () => {
  scene = await operatorScene({ pages: "signed in" });
  ann = await byAccount(scene, "ann@example.com", "owner");
  roy = await byAccount(scene, "roy@example.com", "responder");
});

const wordsOf = async (answer: Response): Promise<string> =>
  (await answer.text())
    .replaceAll(/<(style|script)[^>]*>.*?<\/\1>|<\/?time[^>]*>/gs, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

const silence = { reason: "Typed reason", length: "1h" };

test("whoever may not restore what was deleted reads whom to ask, and sends the form when it is back", async () => {
  await ann.send("/monitors/1/delete");
  const gone = await roy.send("/monitors/1/silence", silence);
  const page = await gone.text();
  expect(gone.status).toBe(404);
  expect(page).toContain("This monitor was deleted");
  expect(page).toContain("Ask an editor to restore it, then send your form again.");
  expect(page).not.toContain("Restore it, and send my form");
  const forced = await roy.send("/monitors/1/silence", {
    ...silence,
    "restore-first": "monitor 1",
  });
  expect(forced.status).toBe(403);
  expect((await ann.get("/monitors/1")).status).toBe(404);
  await ann.send("/undo", { kind: "monitor", ids: "1" });
  const again = sentForm(page, "/monitors/1/silence");
  const sent = await scene.post("/monitors/1/silence", again, { cookie: roy.cookie });
  expect(sent.headers.get("location")).toBe("/monitors/1?silence-is=made.1");
});

test("what another person restored and changed meanwhile is not written over by a form that would restore it", async () => {
  const edit = "/monitors/1/edit";
  const opened = sentForm(await ann.text(edit), edit);
  await ann.send("/monitors/1/delete");
  const typed = { cookie: ann.cookie };
  opened.set("name", "Typed");
  const gone = await (await scene.post(edit, opened, typed)).text();
  const restoring = sentForm(gone, edit);
  expect(restoring.get("restore-first")).toBe("monitor 1");
  const bob = await byAccount(scene, "bob@example.com", "editor");
  await bob.send("/undo", { kind: "monitor", ids: "1" });
  const others = sentForm(await bob.text(edit), edit);
  others.set("name", "Of Bob");
  expect((await scene.post(edit, others, { cookie: bob.cookie })).status).toBe(303);
  const late = await scene.post(edit, restoring, typed);
  expect(late.status).toBe(409);
  expect(await late.text()).toContain("Of Bob");
  expect(await bob.text("/monitors/1")).toContain("<title>Passing · Of Bob · Picket</title>");
});

test("what was deleted more than ten minutes ago is created again, with what was typed", async () => {
  await ann.send("/monitors/1/delete");
  const offered = await (await ann.send("/monitors/1/silence", silence)).text();
  const late = sentForm(offered, "/monitors/1/silence");
  scene.clock.suspend(undoneWithin);
  const gone = await wordsOf(await ann.send("/monitors/1/silence", silence));
  expect(gone).toContain("It cannot be restored: create it again, with what you typed.");
  expect(gone).toContain("Reason Typed reason");
  expect(gone).not.toContain("Restore it");
  const refused = await scene.post("/monitors/1/silence", late, { cookie: ann.cookie });
  expect(refused.status).toBe(409);
  expect(await wordsOf(refused)).toContain("It can no longer be restored");
  expect((await ann.get("/monitors/1")).status).toBe(404);
});

test("a button about what was deleted is pressed for nothing, and what was deleted can be restored", async () => {
  await ann.send("/monitors/1/delete");
  const again = await wordsOf(await ann.send("/monitors/1/delete"));
  expect(again).toContain("It was deleted by ann at 22 Nov, 12:00:00 UTC, so nothing was saved.");
  expect(again).toContain("Restore it Leave it deleted");
  expect(again).not.toContain("What you typed");
  const pressed = await wordsOf(await roy.send("/monitors/1/check"));
  expect(pressed).not.toContain("Restore it");
  expect(pressed).toContain("Ask an editor to restore it by 22 Nov, 12:10:00 UTC. All monitors");
  scene.clock.suspend(undoneWithin);
  const late = await wordsOf(await roy.send("/monitors/1/check"));
  expect(late).toContain("It can no longer be restored. All monitors");
  expect(late).not.toContain("with what you typed");
});

test("a link to what was deleted says who deleted it, undoes it for a while, and leads to the list", async () => {
  const link = { accept: "text/html" };
  const opened = async (reader: SignedIn, path: string): Promise<Response> => {
    const answer = await scene.get(path, { ...link, cookie: reader.cookie });
    expect(answer.status).toBe(404);
    return answer;
  };
  expect(await wordsOf(await opened(ann, "/monitors/99"))).toContain("Not found");
  await ann.send("/monitors/1/delete");
  const page = await (await opened(ann, "/monitors/1")).text();
  expect(page).toMatch(/href="\/"\s+data-letter="m"\s+aria-current="true"/);
  expect(sentForm(page, "/undo").get("ids")).toBe("1");
  const deed = /was deleted by ann at 22 Nov, 12:00:00 UTC\./;
  for (const path of ["/monitors/1", "/monitors/1/edit"])
    expect(await wordsOf(await opened(ann, path))).toMatch(deed);
  expect(await wordsOf(await opened(ann, "/monitors/1"))).toContain(
    "You can undo this until 22 Nov, 12:10:00 UTC.",
  );
  const others = await wordsOf(await opened(roy, "/monitors/1"));
  expect(others).toContain("Ask an editor to restore it by 22 Nov, 12:10:00 UTC. All monitors");
  const asProgram = await scene.get("/monitors/1", { accept: "*/*", cookie: ann.cookie });
  expect(await asProgram.text()).toBe("There is nothing here. All monitors are listed at /\n");
  scene.clock.suspend(undoneWithin);
  const late = await wordsOf(await opened(ann, "/monitors/1"));
  expect(late).toContain("It can no longer be restored. All monitors");
});

test("a program that sends a form about what was deleted reads one line", async () => {
  const form = formTokenIn(await ann.text("/settings"));
  await ann.send("/monitors/1/delete");
  const headers = { cookie: ann.cookie, accept: "*/*" };
  const answer = await scene.post("/monitors/1/silence", { form, ...silence }, headers);
  expect([answer.status, await answer.text()]).toEqual([
    404,
    "There is nothing here. All monitors are listed at /\n",
  ]);
});

test("what files deleted is put back in the files, and the form can be copied", async () => {
  const one = { name: "depot", metadata: {} };
  await applyFile(scene.service, { owner: "web", locations: [one] });
  await applyFile(scene.service, { owner: "web" }, { prune: true });
  const gone = await wordsOf(await ann.send("/locations/3/edit", { name: "Typed name" }));
  expect(gone).toContain("This location was deleted");
  expect(gone).toContain("It cannot be restored here: put it back in the files.");
  expect(gone).toContain("Name Typed name");
});

test("a report that went with its status page is said to be deleted, and is updated once the page is restored", async () => {
  await generatedPage(scene.service);
  const [page, report] = ["/status-pages/1", "/reports/1"];
  const opened = sentForm(await ann.text(report), report);
  opened.set("message", "Typed update");
  await ann.send(`${page}/delete`);
  const gone = await scene.post(report, opened, { cookie: ann.cookie });
  const text = await gone.text();
  expect(gone.status).toBe(404);
  expect(text).toContain("This report was deleted");
  expect(text.replaceAll(/<\/?time[^>]*>/g, "").replaceAll(/\s+/g, " ")).toContain(
    "It was deleted with its status page “Acme” by ann at 22 Nov, 12:00:00 UTC, so nothing was saved.",
  );
  expect(text).toContain("Restore the status page, and send my form");
  const sent = await scene.post(report, sentForm(text, report), { cookie: ann.cookie });
  expect(sent.headers.get("location")).toBe("/reports/1?notice=reported");
  expect(await ann.text(report)).toContain("Typed update");
});

test("a message that was to be previewed is not published by the button that restores its page", async () => {
  await generatedPage(scene.service);
  const report = "/reports/1";
  const opened = sentForm(await ann.text(report), report);
  opened.set("message", "Typed update");
  opened.set("preview", "yes");
  await ann.send("/status-pages/1/delete");
  const text = await (await scene.post(report, opened, { cookie: ann.cookie })).text();
  expect(text).toContain("Restore the status page, and go on with my form");
  const shown = await scene.post(report, sentForm(text, report), { cookie: ann.cookie });
  const page = await shown.text();
  expect(shown.status).toBe(200);
  const again = sentForm(page, report);
  expect([again.get("message"), again.has("preview")]).toEqual(["Typed update", false]);
  expect((await ann.text("/reports/1.json")).includes("Typed update")).toBe(false);
});

test("planned work that went with its status page is said to be deleted, and comes back with the page", async () => {
  await generatedPage(scene.service);
  const edit = "/maintenances/1/edit";
  const opened = sentForm(await ann.text(edit), edit);
  opened.set("page", "1");
  expect((await scene.post(edit, opened, { cookie: ann.cookie })).status).toBe(303);
  const again = sentForm(await ann.text(edit), edit);
  again.set("title", "Typed upgrade");
  await ann.send("/status-pages/1/delete");
  const text = await (await scene.post(edit, again, { cookie: ann.cookie })).text();
  expect(text).toContain("This maintenance was deleted");
  expect(text).toContain("Restore the status page, and send my form");
  const pressed = await wordsOf(await ann.send("/maintenances/1/end"));
  expect(pressed).toContain("It was deleted with its status page");
  expect(pressed).toContain("Restore the status page Leave it deleted");
  const sent = await scene.post(edit, sentForm(text, edit), { cookie: ann.cookie });
  expect(sent.headers.get("location")).toBe("/maintenances/1?notice=changed");
  expect(await ann.text("/maintenances")).toContain("Typed upgrade");
});

test("a report that went with a status page of files says that its page alone comes back from them", async () => {
  const page = { title: "Depot", slug: "depot" };
  await applyFile(scene.service, { owner: "web", pages: [{ page }] });
  const typed = { title: "Doors", status: "investigating", message: "They stay shut." };
  const made = await ann.send("/status-pages/1/reports/new", typed);
  const [report = ""] = (made.headers.get("location") ?? "").split("?");
  await applyFile(scene.service, { owner: "web" }, { prune: true });
  const gone = await wordsOf(await ann.send(report, { ...typed, message: "Typed update" }));
  expect(gone).toContain("This report was deleted");
  expect(gone).toContain(
    "It was deleted with its status page “Depot” by the files of web (applied by the key “apply”)",
  );
  expect(gone).toContain(
    "It cannot be restored: its status page can be put back in the files, without it.",
  );
  expect(gone).toContain("Message Typed update");
});

test("a form about a component or a group that someone else removed says who did, and restores it", async () => {
  await generatedPage(scene.service);
  const bob = await byAccount(scene, "bob@example.com", "editor");
  await ann.send("/status-pages/1/groups", { name: "Web" });
  for (const [part, word] of [
    ["components/1", "component"],
    ["groups/1", "group"],
  ] as const) {
    const path = `/status-pages/1/${part}`;
    const id = word === "group" ? "group-1" : "1";
    const opened = sentForm(await ann.text(`/status-pages/1?edit=${id}`), path);
    opened.set("name", "Typed");
    await bob.send(`${path}/remove`);
    const gone = await scene.post(path, opened, { cookie: ann.cookie });
    expect(gone.status).toBe(404);
    const page = await gone.text();
    expect(page).toContain(`This ${word} was removed`);
    expect(page).toContain("was removed by bob at");
    expect(page).toContain(`Restore the ${word}, and send my form</button>`);
    const restoring = sentForm(page, path);
    expect(restoring.get("restore-first")).toBe(`${word} 1`);
    const saved = await scene.post(path, restoring, { cookie: ann.cookie });
    expect([saved.status, saved.headers.get("location")]).toEqual([
      303,
      "/status-pages/1?notice=saved",
    ]);
    expect(await ann.text("/status-pages/1")).toContain("Typed");
  }
  // Later, it cannot be put back.
  const path = "/status-pages/1/components/1";
  const opened = sentForm(await ann.text("/status-pages/1?edit=1"), path);
  await bob.send(`${path}/remove`);
  scene.clock.suspend(undoneWithin);
  const late = await (await scene.post(path, opened, { cookie: ann.cookie })).text();
  expect(late).toContain("This was deleted meanwhile");
  expect(late).not.toContain("restore-first");
});
