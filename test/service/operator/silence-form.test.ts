import { expect, test } from "vitest";
import { descriptionCharsMax } from "#limits/check-limits";
import { operatorScene } from "../../support/operator-scene.ts";
import { formTokenIn } from "../../support/signed-in.ts";

test.each([
  ["/monitors/2", "this monitor"],
  ["/incidents/7", "this monitor"],
  ["/", "the selected monitors"],
])("the silence form of %s says that the recovery of what was sent is sent", async (path, what) => {
  const { get } = await operatorScene();
  const words = (await (await get(path)).text()).replaceAll(/\s+/g, " ");
  expect(words).toContain(
    `Nothing new is sent about ${what} for that long, apart from recoveries.`,
  );
});

const typed = { length: "own", unit: "d", reason: "moving <racks>" };
const counts = ["0", "1000", "-4", "1.5", ""];

test.each([
  ["/monitors/2", "/monitors/2/silence", []],
  ["/incidents/7", "/incidents/7/silence", []],
  ["/", "/monitors/many/silence", ["2", "3"]],
] as const)(
  "a number that no silence has is refused at its field on %s, with all that was typed",
  async (at, path, picked) => {
    const { get, post } = await operatorScene();
    const page = await (await get(at)).text();
    const form = formTokenIn(page);
    for (const count of counts) {
      const sent = new URLSearchParams({ form, count, ...typed });
      for (const id of picked) sent.append("monitor", id);
      const answer = await post(path, sent);
      expect(answer.status).toBe(422);
      const again = (await answer.text()).replaceAll(/\s+/g, " ");
      expect(titleIn(again)).toBe(titleIn(page));
      expect(again).toMatch(/<details [^>]*class="[^"]*drop[^"]*" open ?>\s*<summary[^>]*>Silence/);
      expect(again).toContain(
        '<p class="wrong-line" id="silence-count-wrong" role="alert"> Number must be a whole number from 1 to 999. </p>',
      );
      expect(again).toMatch(
        new RegExp(`name="count"[^>]* value="${count}"[^>]* aria-invalid="true"[^>]*autofocus`),
      );
      expect(again).toMatch(/value="own" checked/);
      expect(again).toMatch(/<option value="d" selected/);
      expect(again).toMatch(/name="reason"[^>]* value="moving &lt;racks&gt;"/);
      const ticked = [...again.matchAll(/name="monitor" value="(\d+)" form="many" checked/g)];
      expect(new Set(ticked.map(([, id]) => id))).toEqual(new Set(picked));
    }
  },
);

test("a reason that is too long is refused at its field", async () => {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/")).text());
  const reason = "x".repeat(descriptionCharsMax + 1);
  const answer = await post("/monitors/2/silence", { form, length: "4h", reason });
  const again = (await answer.text()).replaceAll(/\s+/g, " ");
  expect([answer.status, again.includes('value="4h" checked')]).toEqual([422, true]);
  expect(again).toContain(`id="silence-reason-wrong" role="alert"> Reason is longer than`);
});

test("a page without the form says by the field's name what is wrong", async () => {
  const { get, post } = await operatorScene();
  const form = formTokenIn(await (await get("/")).text());
  await post("/monitors/2/pause", { form });
  const own = { form, length: "own", count: "0", unit: "h", reason: "racks" };
  const answer = await post("/monitors/2/silence", own);
  expect(await answer.text()).toContain("Number must be a whole number from 1 to 999.");
});

const titleIn = (page: string): string => /<title>([^<]*)</.exec(page)?.[1] ?? "";
