import { expect, test } from "vitest";
import { undoneWithin } from "#limits/service-limits";
import { reportUpdatesMax } from "#limits/status-limits";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const wordsIn = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

const updates = "/maintenances/1/updates";

/** The work "Database upgrade" on the page "acme", with an update. */
async function scene() {
  const here = await operatorScene();
  await generatedPage(here.service);
  const words = async (path: string) => wordsIn(await (await here.get(path)).text());
  const form = formTokenIn(await (await here.get(updates)).text());
  const send = async (path: string, fields: Record<string, string> = {}) => {
    const answer = await here.post(path, { form, ...fields });
    return { to: answer.headers.get("location") ?? "", says: wordsIn(await answer.text()) };
  };
  await send(updates, { message: "It takes an hour longer." });
  return { ...here, words, send };
}

test("an update of planned work is removed, and put back for ten minutes, also by whoever left and came back", async () => {
  const { words, send, clock } = await scene();
  const asked = await words(`${updates}/1/remove`);
  expect(asked).toContain("It takes an hour longer. What happens then");
  const removed = await send(`${updates}/1/remove`);
  expect(removed.to).toBe(`${updates}?deleted=workUpdate.1`);
  expect(await words(removed.to)).toContain("The update of Database upgrade is removed.");
  expect(await words("/maintenances")).toContain("The update of Database upgrade is removed.");
  expect(await words(updates)).not.toContain("an hour longer");
  const undone = await send("/undo", { kind: "workUpdate", ids: "1", back: updates });
  expect(undone.to).toBe(`${updates}?restored=workUpdate.1`);
  expect(await words(undone.to)).toContain("The update is restored.");
  expect(await words("/maintenances/1")).toContain("It takes an hour longer.");
  expect(await words("/changes")).toContain("undid a change of maintenance Database upgrade");
  await send(`${updates}/1/remove`);
  clock.suspend(undoneWithin);
  const late = await send("/undo", { kind: "workUpdate", ids: "1" });
  expect(late.says).toContain("It can no longer be restored");
});

test("an update of other work is not removed, and one whose work is deleted or is full of updates is not put back", async () => {
  const { words, send } = await scene();
  expect(await words("/maintenances/2/updates/1/remove")).not.toContain("What happens then");
  await send(`${updates}/1/remove`);
  await send("/maintenances/1/delete");
  const undo = () => send("/undo", { kind: "workUpdate", ids: "1" });
  expect((await undo()).says).toContain("what it belongs to is deleted, too");
  await send("/undo", { kind: "maintenance", ids: "1" });
  for (let count = 0; count < reportUpdatesMax; count += 1)
    await send(updates, { message: "More." });
  expect((await undo()).says).toContain("as many other updates as there may be");
});

test("an update of planned work is saved as a template of its status page", async () => {
  const { get } = await scene();
  const path = "/status-pages/1/templates/new?update=1";
  expect(await (await get(updates)).text()).toContain(`href="${path}"`);
  expect(await (await get(path)).text()).toContain("It takes an hour longer.</textarea>");
});
