import { expect, test } from "vitest";
import { failingNote } from "#service/operator/publishing/failing-note";
import { operatorScene } from "../../../support/operator-scene.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

test("the form of a report that is resolved is folded, unless a person came to write or is refused", async () => {
  const { service, get, post } = await operatorScene();
  await generatedPage(service);
  const text = async (path: string) => (await get(path)).text();
  const isFolded = (page: string) => /<details id="next-update"[^>]*>/.test(page);
  const open = await text("/reports/1");
  expect([isFolded(open), open.includes("Write an update")]).toEqual([false, true]);
  const form = formTokenIn(open);
  const update = { form, status: "resolved", message: "It works again.", components: "2" };
  const done = await post("/reports/1", update);
  const page = await text(done.headers.get("location") ?? "");
  expect([isFolded(page), page.includes("Write another update")]).toEqual([true, true]);
  expect(isFolded(await text("/reports/1?status=resolved"))).toBe(false);
  const refused = await post("/reports/1", { ...update, message: "" });
  expect([refused.status, isFolded(await refused.text())]).toEqual([422, false]);
});

test("whoever resolves a report is warned next to the choice of what its monitors still see fail", async () => {
  const { service, get, post } = await operatorScene();
  await generatedPage(service);
  const said = async (path: string) => {
    const page = await (await get(path)).text();
    const note = /<div class="notice warn">(.*?)<\/div>/s.exec(page)?.[1] ?? "";
    return note
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/\s+/g, " ")
      .trim();
  };
  // Billing API fails since 11:46.
  expect(await said("/reports/1")).toBe(
    "Billing API still fails since 22 Nov, 11:46 UTC. If you resolve the report now: the page then shows it as down, without a report.",
  );
  expect(await said("/reports/1?status=resolved")).toBe(
    "Billing API still fails since 22 Nov, 11:46 UTC. Resolve anyway? The page then shows it as down, without a report.",
  );
  // It is a warning: people may know more.
  const form = formTokenIn(await (await get("/reports/1")).text());
  const done = await post("/reports/1", { form, status: "resolved", message: "It is as planned." });
  expect(done.status).toBe(303);
  expect(await said("/reports/1?status=investigating")).toBe("");
});

test("the warning names what fails and what is degraded, and counts the rest", () => {
  const status = "error" as const;
  const many = Array.from({ length: 7 }, (_, at) => ({ name: `S${at}`, status, since: null }));
  const words = (note: { readonly text: string }) =>
    note.text
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll(/\s+/g, " ")
      .trim();
  expect(words(failingNote(many, true))).toMatch(
    /S4 still fails\. 2 other components are not well, either\. Resolve anyway\? The page then shows them as down/,
  );
  expect(words(failingNote([{ name: "Shop", status: "degraded", since: null }], true))).toMatch(
    /^Shop is still degraded\. .* as degraded, without a report\.$/,
  );
});
