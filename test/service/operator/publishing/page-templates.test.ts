import { expect, test } from "vitest";
import { undoneWithin } from "#limits/service-limits";
import { pageTemplatesMax } from "#limits/status-limits";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const wordsIn = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

/** The page "acme", with what sends a form to it and reads a page. */
async function acme() {
  const scene = await operatorScene();
  await generatedPage(scene.service);
  const read = async (path: string): Promise<string> => (await scene.get(path)).text();
  const form = formTokenIn(await read("/maintenances/new"));
  const send = async (path: string, fields: Record<string, string>) => {
    const answer = await scene.post(path, { form, ...fields });
    return { to: answer.headers.get("location"), says: wordsIn(await answer.text()) };
  };
  return { scene, read, send };
}

/** What a field of a page's form has in it. */
function fieldIn(page: string, name: string): string | undefined {
  const [area] = new RegExp(`<textarea[^>]*name="${name}"[^>]*>([^<]*)`).exec(page)?.slice(1) ?? [];
  if (area !== undefined) return area.trim();
  const [input = ""] = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(page) ?? [];
  return /value="([^"]*)"/.exec(input)?.[1];
}
const chosenIn = (page: string, name: string): string | undefined =>
  new RegExp(`name="${name}"[^>]*>.*?<option value="([^"]*)"\\s+selected`, "s").exec(page)?.[1];
const tickedIn = (page: string): readonly string[] =>
  [...page.matchAll(/<input[^>]*name="components"[^>]*>/g)].flatMap(([box]) =>
    /\bchecked\b/.test(box) ? [/value="(\d+)"/.exec(box)?.[1] ?? ""] : [],
  );

const slow = {
  for: "report",
  name: "Database is slow",
  title: "The shop is slow",
  status: "identified",
  message: "We add **capacity**.",
  components: "4",
  impact: "partial_outage",
};
const path = "/status-pages/1/templates";

test("a template fills in the form of a new report and of an update, without a script", async () => {
  const { read, send } = await acme();
  expect((await send(`${path}/new`, slow)).to).toBe("/status-pages/1/reports?notice=template");
  const tab = wordsIn(await read("/status-pages/1/reports?notice=template"));
  expect(tab).toContain("Identified Database is slow “The shop is slow”, 1 component");
  const bare = await read("/status-pages/1/reports/new");
  expect(bare).toContain("Begin with a template");
  const report = await read("/status-pages/1/reports/new?template=1");
  expect(wordsIn(report)).toContain("Filled in from the template “Database is slow”.");
  expect(fieldIn(report, "title")).toBe("The shop is slow");
  expect(fieldIn(report, "message")).toBe("We add **capacity**.");
  expect([chosenIn(report, "status"), chosenIn(report, "impact")]).toEqual([
    "identified",
    "partial_outage",
  ]);
  expect(tickedIn(report)).toEqual(["4"]);
  const update = await read("/reports/1?template=1");
  expect(fieldIn(update, "message")).toBe("We add **capacity**.");
  expect([chosenIn(update, "status"), tickedIn(update)]).toEqual(["identified", ["4"]]);
});

test("what a template leaves empty is filled in as without it, and its own words follow nothing that is ticked", async () => {
  const { read, send } = await acme();
  const { components: _none, impact: _no, ...bare } = slow;
  await send(`${path}/new`, { ...bare, title: "", message: "We look." });
  const without = await read("/status-pages/1/reports/new");
  const filled = await read("/status-pages/1/reports/new?template=1");
  expect(fieldIn(filled, "title")).toBe(fieldIn(without, "title"));
  expect(tickedIn(filled)).toEqual(tickedIn(without));
  const preview = await send("/status-pages/1/reports/new", {
    preview: "yes",
    title: fieldIn(filled, "title") ?? "",
    message: "We look.",
    status: "investigating",
    "filled-title": fieldIn(filled, "filled-title") ?? "",
    "filled-message": fieldIn(filled, "filled-message") ?? "",
    components: "6",
    impact: "degraded_performance",
  });
  expect(preview.says).toContain("Support desk is slow");
  expect(preview.says).not.toContain("We are investigating");
});

test("a template of maintenance fills in an update of planned work, and is offered to no report", async () => {
  const { read, send } = await acme();
  await send(`${path}/new`, { for: "maintenance", name: "Later", message: "An hour longer." });
  expect(fieldIn(await read("/maintenances/1/updates?template=1"), "message")).toBe(
    "An hour longer.",
  );
  expect(await read("/status-pages/1/reports/new")).not.toContain("Begin with a template");
  const bare = await send(`${path}/new`, { for: "maintenance", name: "", message: " " });
  expect(bare.says).toContain("Enter a name.");
});

test("a report is saved as a template, which is changed, deleted, and put back for ten minutes", async () => {
  const { scene, read, send } = await acme();
  const begun = await read(`${path}/new?report=1`);
  expect(fieldIn(begun, "name")).toBe("Card payments are slow");
  expect([fieldIn(begun, "title"), chosenIn(begun, "status")]).toEqual([
    "Card payments are slow",
    "investigating",
  ]);
  // What it said first, whatever it says now.
  const [about, message] = [tickedIn(begun), fieldIn(begun, "message")];
  await send("/reports/1", { status: "resolved", message: "The problem is resolved." });
  const over = await read(`${path}/new?report=1`);
  expect([tickedIn(over), fieldIn(over, "message")]).toEqual([about, message]);
  expect([about.length > 0, chosenIn(over, "status")]).toEqual([true, "investigating"]);
  await send(`${path}/new`, slow);
  await send(`${path}/1/edit`, { ...slow, name: "Slow <b>", title: "" });
  expect(wordsIn(await read("/status-pages/1/reports"))).toContain("Slow &lt;b&gt; 1 component");
  const removed = await send(`${path}/1/remove`, {});
  expect(removed.to).toBe("/status-pages/1/reports?deleted=template.1");
  const tab = wordsIn(await read("/status-pages/1/reports"));
  expect(tab).toContain("The template Slow &lt;b&gt; is deleted. You can undo this until");
  expect(await read("/status-pages/1")).not.toContain("is deleted.");
  const back = "/status-pages/1/reports";
  expect((await send("/undo", { kind: "template", ids: "1", back })).to).toBe(
    `${back}?restored=template.1`,
  );
  const { templates } = JSON.parse(await read("/status-pages/1.json"));
  expect(templates).toEqual([
    {
      id: "1",
      used_for: "report",
      name: "Slow <b>",
      title: "",
      status: "identified",
      message: "We add **capacity**.",
      impacts: { 4: "partial_outage" },
    },
  ]);
  const log = wordsIn(await read("/changes"));
  expect(log).toContain("undid removing template Slow &lt;b&gt; from status page Acme");
  expect(log).toContain("added template Database is slow to status page Acme");
  await send(`${path}/1/remove`, {});
  scene.clock.suspend(undoneWithin);
  expect((await send("/undo", { kind: "template", ids: "1" })).says).toContain(
    "It can no longer be restored",
  );
});

test("a template comes back with its page, and without a component that is gone", async () => {
  const { read, send } = await acme();
  await send(`${path}/new`, slow);
  await send("/status-pages/1/components/4/remove", {});
  expect(tickedIn(await read(`${path}/1/edit`))).toEqual([]);
  expect(tickedIn(await read("/status-pages/1/reports/new?template=1"))).not.toContain("4");
  await send("/status-pages/1/delete", {});
  await send("/undo", { kind: "page", ids: "1" });
  expect(fieldIn(await read(`${path}/1/edit`), "name")).toBe("Database is slow");
});

const callsOf = async ({ service }: OperatorScene) => {
  const { key } = await service.admin.createApiKey({ name: "templates", scope: "write" });
  return async (name: string, ask: object): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await fetch(`${service.url}/rpc/picket.v1.TemplateService/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify(ask),
    });
    return JSON.parse(await answer.text());
  };
};

test("calls make, list, change and delete templates, and refuse what is wrong by its field", async () => {
  const { scene } = await acme();
  const call = await callsOf(scene);
  const impact = { pageComponentId: "4", impact: "PAGE_COMPONENT_IMPACT_MAJOR_OUTAGE" };
  const made = {
    pageId: "1",
    usedFor: "report",
    name: "Down",
    title: "The shop is down",
    status: "STATUS_REPORT_STATUS_IDENTIFIED",
    message: "One\r\ntwo",
    componentImpacts: [impact],
  };
  const { template } = await call("CreateTemplate", made);
  expect(template).toMatchObject({ ...made, id: "1", message: "One\ntwo" });
  await call("UpdateTemplate", { id: "1", title: "" });
  await call("CreateTemplate", { ...made, name: "A first" });
  expect(await call("ListTemplates", { pageId: "1" })).toMatchObject({
    templates: [{ id: "2" }, { id: "1", title: "", componentImpacts: [impact] }],
  });
  const later = { pageId: "1", usedFor: "maintenance", name: "Later", message: "Later." };
  expect(await call("CreateTemplate", later)).toMatchObject({
    template: { status: "STATUS_REPORT_STATUS_UNSPECIFIED", title: "" },
  });
  for (const [wrong, message] of [
    [{ usedFor: "post" }, "used_for must be one of report, maintenance"],
    [{ name: " " }, "name must be 1 to 256 characters long"],
    [{ message: "" }, "message must be 1 to 8192 characters long"],
    [{ componentImpacts: [{ ...impact, pageComponentId: "77" }] }, "there is no component 77"],
    [{ usedFor: "maintenance" }, "title must be empty for maintenance"],
    [{ pageId: "9" }, "there is no status page 9"],
  ] as const)
    expect((await call("CreateTemplate", { ...made, ...wrong }))["message"]).toContain(message);
  expect(await call("DeleteTemplate", { id: "1" })).toEqual({ success: true });
  expect((await call("DeleteTemplate", { id: "1" }))["message"]).toBe("there is no template 1");
});

test("a page has so many templates and no more, also by an undo", async () => {
  const { scene, read, send } = await acme();
  const call = await callsOf(scene);
  const made = { pageId: "1", usedFor: "maintenance", name: "Later", message: "Later." };
  for (let count = 0; count < pageTemplatesMax; count += 1) await call("CreateTemplate", made);
  expect((await call("CreateTemplate", made))["message"]).toBe(
    `there are ${pageTemplatesMax} templates on this page already`,
  );
  await send(`${path}/1/remove`, {});
  await call("CreateTemplate", made);
  expect((await send("/undo", { kind: "template", ids: "1" })).says).toContain(
    "as many components, groups or templates as it may have",
  );
  expect(await read("/status-pages/1/reports")).not.toContain(`${path}/1/edit`);
});
