import { expect, test } from "vitest";
import { ownImpactsMax } from "#limits/status-limits";
import type { Service } from "#service/server";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

test("a report on an incident that is over is filled in from what fails now", async () => {
  const { service, get } = await operatorScene();
  await generatedPage(service);
  const title = async (incident: number): Promise<string | undefined> => {
    const page = await get(`/status-pages/1/reports/new?incident=${incident}`);
    const [field = ""] = /<input[^>]*name="title"[^>]*>/.exec(await page.text()) ?? [];
    return /value="([^"]*)"/.exec(field)?.[1];
  };
  // Both are of the Billing API: the later one is open.
  expect(await title(7)).toBe("Billing API is not available");
  expect(await title(2)).toBe("Intranet is slow");
});

test("a report on a page without components asks for none and for no impact, and is published", async () => {
  const { get, post } = await operatorScene({ days: 0 });
  const form = formTokenIn(await (await get("/status-pages/new")).text());
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  const path = "/status-pages/1/reports/new";
  const page = await (await get(path)).text();
  expect(page).toContain("No component: the report is about the page as a whole.");
  for (const absent of [">Components<", "There is none to tick yet.", 'name="impact"'])
    expect(page).not.toContain(absent);
  const report = { title: "Slow", status: "investigating", message: "We investigate." };
  const made = await post(path, { form, ...report });
  expect(made.headers.get("location")).toBe("/reports/1?notice=reported");
  expect(await (await get("/reports/1")).text()).not.toContain('name="impact"');
});

/** A page with components of these monitors, which is number 1. */
async function pageOf(service: Service, monitors: readonly number[]): Promise<void> {
  const call = await callsOf(service);
  await call("CreateStatusPage", { title: "Depot", slug: "depot" });
  for (const monitor of monitors)
    await call("AddMonitorComponent", { pageId: "1", monitorId: String(monitor) });
}

async function callsOf({ url, admin }: Service) {
  const { key } = await admin.createApiKey({ name: "pages", scope: "write" });
  return async (name: string, ask: object): Promise<void> => {
    const answer = await fetch(`${url}/rpc/openstatus.status_page.v1.StatusPageService/${name}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify(ask),
    });
    expect(answer.status).toBe(200);
  };
}

test("a report made from an incident ticks what fails for the same cause, says so, and leads back to the incident", async () => {
  const { service, get, post } = await operatorScene();
  // Stock, and two that fail with it; Intranet is slow for another reason.
  await pageOf(service, [7, 8, 9, 3]);
  const path = "/status-pages/1/reports/new";
  const page = await (await get(`${path}?incident=4`)).text();
  const ticked = [...page.matchAll(/<input[^>]*name="components"[^>]*>/g)]
    .filter(([box]) => /\schecked/.test(box))
    .map(([box]) => /value="(\d+)"/.exec(box)?.[1]);
  expect(ticked).toEqual(["1", "2", "3"]);
  expect(page).toContain("fail for the same cause and are ticked, too. Check it before");
  for (const shown of [
    page,
    await (await post(path, { form: formTokenIn(page), incident: "4", title: "" })).text(),
  ]) {
    expect(shown).toContain('<p class="back"><a href="/incidents/4">Incident 4</a></p>');
    expect(shown).toContain('<a href="/incidents/4">Cancel</a>');
  }
  expect(await (await get(path)).text()).toContain('<a href="/status-pages/1">Cancel</a>');
});

test("each component of a report may have an impact that others do not have, also when it is corrected", async () => {
  const { service, get, post } = await operatorScene();
  await pageOf(service, [7, 8, 9]);
  const path = "/status-pages/1/reports/new";
  const form = formTokenIn(await (await get(path)).text());
  const said = new URLSearchParams({
    form,
    title: "Depot is down",
    status: "investigating",
    message: "We look into it.",
    impact: "major_outage",
    "impact.2": "degraded_performance",
  });
  for (const id of ["1", "2"]) said.append("components", id);
  expect((await post(path, said)).headers.get("location")).toBe("/reports/1?notice=reported");
  const impacts = async (): Promise<unknown> => {
    const report = JSON.parse(await (await get("/reports/1.json")).text());
    return report.updates[0].impacts;
  };
  expect(await impacts()).toEqual({ 1: "major_outage", 2: "degraded_performance" });
  const edit = "/reports/1/updates/1/edit";
  const corrected = await (await get(edit)).text();
  const own = corrected.split('name="impact.2"')[1]?.split("</select>")[0] ?? "";
  expect(own).toMatch(/value="degraded_performance"\s+selected/);
  said.set("impact.1", "partial_outage");
  said.set("message", "We found it.");
  expect((await post(edit, said)).status).toBe(303);
  expect(await impacts()).toEqual({ 1: "partial_outage", 2: "degraded_performance" });
  // A preview says what each will have.
  const shown = await (await post(edit, new URLSearchParams([...said, ["preview", "yes"]]))).text();
  const states = shown.split("Component states")[1]?.split("</ul>")[0] ?? "";
  expect(states).toMatch(/Partial outage[^]*Degraded/);
});

const plainWords = (page: string): string =>
  page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

test("a new report asks for the impact once a component is ticked, and an update keeps the one before", async () => {
  const { service, get, post } = await operatorScene();
  await pageOf(service, [7, 8]);
  const path = "/status-pages/1/reports/new";
  const page = await (await get(`${path}?incident=1`)).text();
  const form = formTokenIn(page);
  const ofThePage = { form, status: "investigating", message: "We look into it." };
  const said = { ...ofThePage, components: "1" };
  const refused = await post(path, { ...said, title: "", impact: "" });
  expect(refused.status).toBe(422);
  const words = plainWords(await refused.text());
  expect(words).toMatch(
    /Impact is missing: choose how badly [^.]+ is affected, or Operational if it works/,
  );
  expect(words).toContain("2 things need another look: Enter a title");
  const whole = { ...said, title: "Slow" };
  const made = await post(path, { ...whole, "impact.1": "operational" });
  expect(made.headers.get("location")).toBe("/reports/1?notice=reported");
  expect((await post("/reports/1", { ...whole, impact: "" })).status).toBe(303);
  expect((await post(path, { ...ofThePage, title: "Slow" })).headers.get("location")).toBe(
    "/reports/2?notice=reported",
  );
});

test("an impact that no ticked component has is refused at its field, and an update without a tick says what stays", async () => {
  const { service, get, post } = await operatorScene();
  await pageOf(service, [7, 8]);
  const path = "/status-pages/1/reports/new";
  const form = formTokenIn(await (await get(path)).text());
  const said = { form, title: "Slow", status: "investigating", message: "We look into it." };
  const sent = async (to: string, fields: Record<string, string>) => {
    const answer = await post(to, { ...said, ...fields });
    return [answer.status, plainWords(await answer.text())] as const;
  };
  const missing = "Components are missing: tick those that have this impact";
  const degraded = { impact: "degraded_performance" };
  expect(await sent(path, degraded)).toEqual([422, expect.stringContaining(missing)]);
  expect(await sent(path, { components: "1", "impact.2": "major_outage" })).toEqual([
    422,
    expect.stringContaining("has an impact here, but is not ticked"),
  ]);
  expect((await sent(path, { ...degraded, components: "1" }))[0]).toBe(303);
  const [, unticked] = await sent("/reports/1", { preview: "yes" });
  expect(unticked).toMatch(/None ticked: as before \([^,]+, degraded\)\./);
  expect(unticked).not.toContain("about the page as a whole");
  expect(await sent("/reports/1", { impact: "major_outage" })).toEqual([
    422,
    expect.stringContaining(missing),
  ]);
  const [, over] = await sent("/reports/1", { preview: "yes", status: "resolved" });
  expect(over).toMatch(/None ticked: the impact ends \([^,]+\)\./);
});

test("a correction keeps the impacts of components for which the form has no fields", async () => {
  const { service, get, post } = await operatorScene({ days: 0 });
  const call = await callsOf(service);
  await call("CreateStatusPage", { title: "Depot", slug: "depot" });
  const ids = Array.from({ length: ownImpactsMax + 1 }, (_, index) => String(index + 1));
  for (const id of ids) await call("AddStaticComponent", { pageId: "1", name: `Part ${id}` });
  const path = "/status-pages/1/reports/new";
  const form = formTokenIn(await (await get(path)).text());
  const said = new URLSearchParams({
    form,
    title: "Depot is down",
    status: "investigating",
    message: "We look into it.",
    impact: "major_outage",
  });
  for (const id of ids) said.append("components", id);
  const last = `impact.${ids.length}`;
  await post(path, new URLSearchParams([...said, [last, "degraded_performance"]]));
  const edit = "/reports/1/updates/1/edit";
  expect(await (await get(edit)).text()).not.toContain(`name="${last}"`);
  said.set("message", "We found it.");
  said.set("impact.1", "partial_outage");
  expect((await post(edit, said)).status).toBe(303);
  const { updates } = JSON.parse(await (await get("/reports/1.json")).text());
  expect([1, 2, ids.length].map((id) => updates[0].impacts[id])).toEqual([
    "partial_outage",
    "major_outage",
    "degraded_performance",
  ]);
});

test("a correction ticks what the report is about, also if no impact was said of it", async () => {
  const { service, get, post } = await operatorScene({ days: 0 });
  const call = await callsOf(service);
  await call("CreateStatusPage", { title: "Depot", slug: "depot" });
  for (const name of ["Billing", "Stock"]) await call("AddStaticComponent", { pageId: "1", name });
  const { key } = await service.admin.createApiKey({ name: "reports", scope: "write" });
  const made = await fetch(
    `${service.url}/rpc/openstatus.status_report.v1.StatusReportService/CreateStatusReport`,
    {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify({
        title: "Billing is slow",
        status: "STATUS_REPORT_STATUS_INVESTIGATING",
        message: "We look into it.",
        date: "2026-11-22T10:40:00Z",
        pageId: "1",
        pageComponentIds: ["1"],
      }),
    },
  );
  expect(made.status).toBe(200);
  const edit = "/reports/1/updates/1/edit";
  const ticked = async (path: string): Promise<readonly (string | undefined)[]> =>
    (await (await get(path)).text())
      .matchAll(/name="components"[^>]*?value="(\d+)"[^>]*?checked/g)
      .map(([, id]) => id)
      .toArray();
  expect(await ticked(edit)).toEqual(["1"]);
  const form = formTokenIn(await (await get(edit)).text());
  const said = { form, status: "investigating", message: "We found it.", impact: "" };
  const impacts = async (): Promise<readonly unknown[]> =>
    JSON.parse(await (await get("/reports/1.json")).text()).updates.map(
      (one: { impacts: unknown }) => one.impacts,
    );
  expect((await post(edit, { ...said, title: "Slow", components: "1" })).status).toBe(303);
  expect([await ticked(edit), await impacts()]).toEqual([["1"], [{}]]);
  // A later update that says how badly it is affected leaves the first one without.
  const later = { ...said, components: "1", impact: "major_outage" };
  expect((await post("/reports/1", later)).status).toBe(303);
  expect([await ticked(edit), await ticked("/reports/1/updates/2/edit")]).toEqual([[], ["1"]]);
});

test("a component that a correction unticks leaves the report, unless another update names it", async () => {
  const { service, get, post } = await operatorScene({ days: 0 });
  const call = await callsOf(service);
  await call("CreateStatusPage", { title: "Depot", slug: "depot", published: true });
  for (const name of ["Billing", "Stock"]) await call("AddStaticComponent", { pageId: "1", name });
  const path = "/status-pages/1/reports/new";
  const form = formTokenIn(await (await get(path)).text());
  const said = { form, status: "investigating", message: "We look into it.", title: "Depot" };
  const send = async (to: string, components: readonly string[], more: object = {}) => {
    const typed = new URLSearchParams({ ...said, ...more });
    for (const id of components) typed.append("components", id);
    const answer = await post(to, typed);
    return [answer.status, await answer.text()] as const;
  };
  const affected = async () => JSON.parse(await (await get("/reports/1.json")).text()).components;
  const down = { impact: "major_outage" };
  await send(path, ["1", "2"], down);
  await send("/reports/1", ["1"], { impact: "partial_outage" });
  const edit = "/reports/1/updates/1/edit";
  const [, preview] = await send(edit, [], { impact: "", preview: "yes" });
  expect(preview).toContain("None ticked: as before (Billing, partial outage).");
  expect((await send(edit, ["1"], down))[0]).toBe(303);
  expect(await affected()).toEqual(["1"]);
  // The second update names it.
  expect((await send(edit, ["2"], down))[0]).toBe(303);
  expect(await affected()).toEqual(["1", "2"]);
  expect((await send("/reports/1/updates/2/edit", [], { impact: "" }))[0]).toBe(303);
  expect(await affected()).toEqual(["2"]);
  const page = await (await get("/status/depot/events/report/1")).text();
  expect(page).toContain("Stock");
  expect(page.split('class="report')[1]).not.toContain("Billing");
});
