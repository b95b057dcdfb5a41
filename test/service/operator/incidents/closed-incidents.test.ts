import { expect, test } from "vitest";
import { undoneWithin } from "#limits/service-limits";
import { millis, seconds } from "#base/units";
import { type OperatorScene, operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

const wordsOf = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();

/** A mark with its colour, as `unchecked: Closed: monitor paused`. */
const marksIn = (page: string): readonly string[] =>
  [...page.matchAll(/<span class="mark (\w+)"\s*>(.*?)<\/span\s*>/gs)].map(
    ([, look = "", words = ""]) => `${look}: ${wordsOf(words)}`,
  );

/** Passes until a page says something; what the threads of the store do takes real time. */
async function passUntil(
  { clock }: OperatorScene,
  read: () => Promise<string>,
  said: string,
): Promise<void> {
  for (let second = 0; second < 180; second += 1) {
    if (second % 5 === 4 && (await read()).includes(said)) return;
    await clock.advance(seconds(1));
  }
  throw new Error(`the page never says: ${said}`);
}

const base = "http://service.test";
const closed = "Closed: monitor paused";

/** After an act, when alerting has looked at it. */
async function afterAct(scene: OperatorScene, path: string, incident: number, said: string) {
  const ann = await byKey(scene, "write");
  expect((await ann.send(path)).status).toBe(303);
  await passUntil(scene, () => ann.text(`/incidents/${incident}`), said);
  return async (to: string): Promise<string> => (await ann.get(to)).text();
}

test("an incident that closed because its monitor was paused is called that everywhere, and is not green", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const read = await afterAct(scene, "/monitors/2/pause", 7, closed);
  const paused = "unchecked: Closed: monitor paused";
  // The list, the monitor's page, and the page of the incident itself.
  expect(marksIn(await read("/incidents?monitor=2"))).toEqual([paused, "success: Resolved"]);
  expect(marksIn(await read("/monitors/2"))).toContain(paused);
  const page = await read("/incidents/7");
  expect(marksIn(page)[0]).toBe(paused);
  expect(page).toContain("<title>Closed: monitor paused · Billing API · Picket</title>");
  expect(wordsOf(page)).toContain("Closed Because the monitor was paused (not recovered).");
  // The dot of its end in the timeline is not that of a recovery.
  const moments = (page.split('<ol class="moments">')[1] ?? "").split("</ol>")[0] ?? "";
  expect(moments.split("<li ").at(-1)).toMatch(/^class="said">/);
});

test("among those of the same cause, one whose monitor was paused is not green", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const read = await afterAct(scene, "/monitors/7/pause", 4, closed);
  const alike = (await read("/incidents/5")).split('id="alike"')[1]?.split("</section>")[0] ?? "";
  expect(marksIn(alike)).toEqual(["error: Failing", "unchecked: Closed: monitor paused"]);
});

test("the incident of a deleted monitor does not say that it fails, neither while it can be restored nor later", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const read = await afterAct(scene, "/monitors/7/delete", 4, "Monitor deleted");
  const page = await read("/incidents/4");
  expect(marksIn(page)[0]).toBe("unchecked: Monitor deleted");
  expect(page).toContain("<title>Monitor deleted · Stock · Picket</title>");
  expect(page).not.toContain('class="trouble error"');
  expect(page).not.toContain("A firewall drops port 53");
  await scene.clock.advance(millis(undoneWithin + seconds(1)));
  for (let second = 0; second < 90; second += 1) await scene.clock.advance(seconds(1));
  expect(marksIn(await read("/incidents/4"))[0]).toBe("unchecked: Closed: monitor deleted");
});

test("an incident whose monitor was just paused says so, and when it closes", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  await ann.send("/monitors/2/pause");
  await passUntil(scene, () => ann.text("/incidents/7"), "Nothing has checked it since");
  const page = await (await ann.get("/incidents/7")).text();
  expect(marksIn(page)[0]).toBe("unchecked: Paused");
  expect(wordsOf(page)).toMatch(
    /Nothing has checked it since .*\. It closes 30\ss after that, unless/,
  );
  await ann.send("/monitors/2/resume");
  for (let second = 0; second < 45; second += 1) await scene.clock.advance(seconds(1));
  const after = await (await ann.get("/incidents/7")).text();
  expect(wordsOf(after)).not.toContain("Nothing has checked it since");
  expect(marksIn(after)[0]).toBe("error: Failing");
});

test("an undo of a pause says how many incidents closed meanwhile", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  const paused = await ann.send("/monitors/many", { act: "pause", monitor: "2" });
  const undo = new URL(paused.headers.get("location") ?? "", base).searchParams.get("undo");
  await passUntil(scene, () => ann.text("/incidents/7"), closed);
  const undone = await ann.send("/monitors/many/undo", { undo: undo ?? "", query: "" });
  const page = await ann.get(undone.headers.get("location") ?? "");
  expect(wordsOf(await page.text())).toContain(
    "Undone: 1 monitor is as before. 1 incident closed meanwhile and stays closed.",
  );
});
