import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { sentForm } from "../../../support/sent-form.ts";
import { byAccount, byKey, type SignedIn } from "../../../support/signed-in.ts";

const plain = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

const incident = "/incidents/7";

async function commentScene() {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byAccount(scene, "ann@example.com", "responder");
  const bob = await byAccount(scene, "bob@example.com", "responder");
  const olga = await byAccount(scene, "olga@example.com", "owner");
  await ann.send(`${incident}/comment`, { comment: "the disc is full" });
  const page = await ann.text(incident);
  const [, edit = ""] = /href="(\/incidents\/7\/comments\/\d+\/edit)"/.exec(page) ?? [];
  expect(edit).not.toBe("");
  return { scene, ann, bob, olga, edit, remove: edit.replace("/edit", "/delete") };
}

const ledTo = async (answer: Response, { get }: SignedIn): Promise<string> => {
  expect(answer.status).toBe(303);
  return (await get(answer.headers.get("location") ?? "")).text();
};

test("a comment is edited by whoever wrote it, and the timeline and the audit log say that", async () => {
  const { scene, ann, bob, olga, edit } = await commentScene();
  const form = sentForm(await (await ann.get(edit)).text(), edit);
  expect(form.get("comment")).toBe("the disc is full");
  form.set("comment", "the **disk** is full");
  await scene.clock.advance(60_000);
  const saved = await ledTo(await scene.post(edit, form, { cookie: ann.cookie }), ann);
  expect(plain(saved)).toContain("Saved: the timeline says that the comment was edited.");
  expect(plain(saved)).toMatch(/ann commented Edited 22 Nov, 12:01:00 UTC . the disk is full/);
  expect(saved).not.toContain("the disc is full");
  expect(plain(await olga.text("/changes?kind=incident"))).toContain("ann edited a comment on");
  for (const other of [bob, olga]) {
    expect(await other.text(incident)).not.toContain('/edit"');
    expect((await other.get(edit)).status).toBe(403);
    expect((await other.send(edit, { comment: "not mine" })).status).toBe(403);
  }
  const { comments } = JSON.parse(await (await ann.get(`${incident}.json`)).text());
  expect(comments).toEqual([
    expect.objectContaining({
      message: "the **disk** is full",
      edited_at: "2026-11-22T12:01:00.000Z",
    }),
  ]);
});

test("an edit that leaves nothing of a comment is refused at its field", async () => {
  const { ann, edit } = await commentScene();
  const refused = await ann.send(edit, { comment: " " });
  expect(refused.status).toBe(422);
  expect(plain(await refused.text())).toContain(
    "Enter a comment for your colleagues: say what you saw or did",
  );
});

test("a comment is deleted by whoever wrote it or an owner, and that can be undone", async () => {
  const { scene, ann, bob, olga, remove } = await commentScene();
  expect(await bob.text(incident)).not.toContain(remove);
  expect((await bob.send(remove)).status).toBe(403);
  for (const one of [ann, olga]) {
    const gone = await ledTo(await one.send(remove), one);
    expect(gone).not.toContain("the disc is full");
    expect(plain(gone)).toMatch(/The comment is deleted\. You can undo this until \d\d:\d\d/);
    const undo = sentForm(gone, "/incidents/comments/undo");
    const back = await scene.post("/incidents/comments/undo", undo, { cookie: one.cookie });
    const restored = plain(await ledTo(back, one));
    expect(restored).toContain("The comment is restored.");
    expect(restored).toMatch(/ann commented the disc is full/);
    const late = await scene.post("/incidents/comments/undo", undo, { cookie: one.cookie });
    expect(plain(await ledTo(late, one))).toContain("It can no longer be undone");
  }
  const log = plain(await olga.text("/changes?kind=incident"));
  expect(log).toContain("olga undid deleting a comment on");
  expect(log).toContain("ann deleted a comment on");
});

test("a comment of a key is edited by that key, and no reader changes any", async () => {
  const { scene, ann } = await commentScene();
  const [writer, other, reader] = [
    await byKey(scene, "write", "deploys"),
    await byKey(scene, "write", "others"),
    await byKey(scene, "read", "board"),
  ];
  await writer.send(`${incident}/comment`, { comment: "deployed 4.2" });
  const page = await writer.text(incident);
  const [own = ""] = page.match(/\/incidents\/7\/comments\/\d+\/edit/g) ?? [];
  expect(own).not.toBe("");
  expect((await writer.send(own, { comment: "deployed 4.3" })).status).toBe(303);
  expect(await ann.text(incident)).toContain("deployed 4.3");
  expect((await other.get(own)).status).toBe(403);
  expect((await reader.get(own)).status).toBe(403);
  expect(await reader.text(incident)).not.toContain("/comments/");
});

test("what someone else did to the incident meanwhile loses no edit of a comment", async () => {
  const { scene, ann, bob, edit } = await commentScene();
  const form = sentForm(await (await ann.get(edit)).text(), edit);
  await bob.send(`${incident}/comment`, { comment: "I am on it" });
  form.set("comment", "the disk is full");
  const answer = await scene.post(edit, form, { cookie: ann.cookie });
  const page = await answer.text();
  expect([answer.status, plain(page)]).toEqual([
    409,
    expect.stringContaining("This incident was changed meanwhile"),
  ]);
  const both = sentForm(page, edit);
  expect(both.get("comment")).toBe("the disk is full");
  expect((await scene.post(edit, both, { cookie: ann.cookie })).status).toBe(303);
  expect(await ann.text(incident)).toContain("the disk is full");
});
