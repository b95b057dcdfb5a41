import { expect, test } from "vitest";
import { packed, restField } from "#service/operator/forms/packed-choices";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey, type SignedIn } from "../../../support/signed-in.ts";

const path = "/monitors/many/acknowledge";
const wordsIn = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

interface OpenIncident {
  readonly number: number;
  readonly monitor: number;
}

/** Of the open incidents those that no one has acknowledged. */
async function waiting(ann: SignedIn): Promise<readonly OpenIncident[]> {
  const { incidents } = JSON.parse(await (await ann.get("/incidents.json?state=open")).text());
  return incidents.flatMap(
    (one: { number: number; kind: string; acknowledged_at: unknown; subject_id: string }) =>
      one.acknowledged_at === null && one.kind === "monitor"
        ? [{ number: one.number, monitor: Number(one.subject_id) }]
        : [],
  );
}

test("the open incidents of selected monitors are acknowledged in one act, and no others", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  const [first, second, ...others] = await waiting(ann);
  if (first === undefined || second === undefined) throw new Error("two incidents are open");
  expect(others.length).toBeGreaterThan(0);
  const list = await (await ann.get("/")).text();
  expect(list).toContain(`formaction="${path}"`);
  const ids = [first, second].map(({ monitor }) => monitor);
  const form = { [restField("monitor")]: packed(ids) };
  const led = (await ann.send(path, form)).headers.get("location") ?? "";
  expect(led).toMatch(/^\/\?acknowledged=done\.2\.0&undo=[\w-]+&picked=/);
  expect(wordsIn(await (await ann.get(led)).text())).toContain(
    "2 incidents are acknowledged: no reminders follow until one is worse or opens again.",
  );
  expect(await waiting(ann)).toEqual(others);
  const undo = new URL(led, "http://x.test").searchParams.get("undo") ?? "";
  const undone = await ann.send("/incidents/acknowledge/undo", { undo, back: "/" });
  expect(wordsIn(await (await ann.get(undone.headers.get("location") ?? "")).text())).toContain(
    "Undone: 2 incidents are not acknowledged, as before. Reminders follow again.",
  );
  expect(await waiting(ann)).toEqual([first, second, ...others]);
  await ann.send(path, form);
  const again = (await ann.send(path, form)).headers.get("location") ?? "";
  expect(wordsIn(await (await ann.get(again)).text())).toContain(
    "Nothing is acknowledged: no selected monitor has an open incident that waits for it.",
  );
  const none = (await ann.send(path, {})).headers.get("location");
  expect(none).toBe("/?notice=none");
});

test("a search that finds other monitors than the page showed asks before their incidents are acknowledged", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  const before = await waiting(ann);
  const asked = await ann.send(path, { all: "yes", seen: "1.a.b", query: "" });
  expect(wordsIn(await asked.text())).toMatch(/Acknowledge the incidents of \d+ monitors\?/);
  expect(await waiting(ann)).toEqual(before);
  const seen = /name="seen" value="([^"]*)"/.exec(await (await ann.get("/")).text())?.[1] ?? "";
  await ann.send(path, { all: "yes", seen, query: "" });
  expect(await waiting(ann)).toEqual([]);
  // With nothing that waits for it, the bar has no such button.
  expect(await (await ann.get("/")).text()).not.toContain(path);
  expect(wordsIn(await (await ann.get("/changes")).text())).toContain(
    `acknowledged ${before.length} incidents`,
  );
});

test("a reader neither sees nor may press it", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const reader = await byKey(scene, "read", "reader");
  expect(await (await reader.get("/")).text()).not.toContain(path);
  expect((await reader.send(path, { monitor: "1" })).status).toBe(403);
});
