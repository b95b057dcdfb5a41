import { expect, test } from "vitest";
import { minutes } from "#base/units";
import { type OperatorScene, operatorScene } from "../../../support/operator-scene.ts";
import { byAccount, byKey, formTokenIn, type SignedIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

const newReport = "/status-pages/1/reports/new";

/** A service whose page shows the Billing API of incident 7, without a report about it. */
async function unreported(): Promise<{ readonly scene: OperatorScene; readonly ann: SignedIn }> {
  const scene = await operatorScene({ pages: "signed in" });
  await generatedPage(scene.service);
  const ann = await byAccount(scene, "ann@acme.example", "responder");
  const owner = await byKey(scene, "write");
  expect((await owner.send("/reports/1/delete")).status).toBe(303);
  return { scene, ann };
}

const outage = {
  title: "Billing is down",
  status: "investigating",
  message: "We look into it.",
  components: "2",
  impact: "major_outage",
};

test("an incident's page has the report that was written from it: in a list, on the timeline, and behind its button", async () => {
  const { scene, ann } = await unreported();
  const before = await ann.text("/incidents/7");
  expect(before).toContain(">Report on Acme</a");
  expect(before).not.toContain("Reports on status pages");
  const made = await ann.send(newReport, { ...outage, incident: "7" });
  const path = made.headers.get("location")?.split("?")[0] ?? "";
  expect(path).toMatch(/^\/reports\/\d+$/);
  const page = await ann.text("/incidents/7");
  expect(page).not.toContain(">Report on Acme</a");
  expect(page).toContain(`href="${path}#next">Update the report</a`);
  expect(page).toContain(`href="${newReport}?incident=7">Write another report</a`);
  const [, listed = ""] = page.split("Reports on status pages</h2>");
  const line = listed.split("</ul>")[0] ?? "";
  expect(line).toContain(`<h3><a href="${path}">Billing is down</a></h3>`);
  expect(line).toContain("Investigating");
  expect(line).toContain('On <a href="/status-pages/1">Acme</a>, last update');
  expect(page.split("Timeline</h2>")[1]).toMatch(
    new RegExp(`ann reported it on Acme: <a href="${path}">Billing is down</a>`),
  );
  const document = await (await ann.get("/incidents/7.json")).json();
  expect(document).toMatchObject({ reports: [{ title: "Billing is down", by: "ann" }] });
  // What is resolved stays in the list of the incident, whose button then writes a new one.
  await scene.clock.advance(minutes(1));
  await ann.send(path, { status: "resolved", message: "It works." });
  const after = await ann.text("/incidents/7");
  const timeline = after.split("Timeline</h2>")[1] ?? "";
  expect(timeline).toContain(
    `Report on Acme updated: <a href="${path}">Billing is down</a>, resolved`,
  );
  expect(timeline).toContain("It works.");
  expect(after).toContain(">Report on Acme</a");
  expect(after).not.toContain("Write another report");
  expect(after.split("Reports on status pages</h2>")[1]).toContain("Resolved");
  const owner = await byKey(scene, "write", "night shift");
  await owner.send(newReport, { ...outage, title: "Still down", incident: "7" });
  expect((await ann.text("/incidents/7")).split("Timeline</h2>")[1]).toMatch(
    /The key “night shift” reported it on Acme: <a href="[^"]*">Still down</,
  );
});

test("an update that is dated ahead is not the latest of an incident yet", async () => {
  const { scene, ann } = await unreported();
  const made = await ann.send(newReport, { ...outage, incident: "7" });
  const [, statusReportId = ""] = /reports\/(\d+)/.exec(made.headers.get("location") ?? "") ?? [];
  const { key } = await scene.service.admin.createApiKey({ name: "ahead", scope: "write" });
  const status = "STATUS_REPORT_STATUS_MONITORING";
  const ahead = { statusReportId, status, message: "Later.", date: "2026-11-23T10:00:00Z" };
  const service = "openstatus.status_report.v1.StatusReportService";
  const added = await fetch(`${scene.service.url}/rpc/${service}/AddStatusReportUpdate`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-key": key },
    body: JSON.stringify(ahead),
  });
  expect(added.status).toBe(200);
  expect(await ann.text("/incidents/7")).toMatch(/<span>Latest<\/span> ann reported it on Acme/);
});

test("an incident's page has an open report that is older than it, without a line on the timeline; a reader has no acts", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  await generatedPage(scene.service);
  const reader = await byKey(scene, "read");
  const page = await reader.text("/incidents/7");
  expect(page.split("Reports on status pages</h2>")[1]).toContain("Card payments are slow");
  expect(page).not.toMatch(/Update the report|Write another report/);
  // The incident of the Intranet is about another component.
  expect(await reader.text("/incidents/3")).not.toContain("Reports on status pages");
});

test("the form of a report says which open report already names what is ticked", async () => {
  const { get, post, service } = await operatorScene();
  await generatedPage(service);
  const said = (page: string): string => page.replaceAll(/\s+/g, " ");
  const filled = said(await (await get(`${newReport}?incident=7`)).text());
  const link = '<a href="/reports/1#next">Card payments are slow</a>';
  expect(filled).toContain(`The open report ${link} (Identified) already names Billing API.`);
  expect(filled).toContain(`Already in an open report: ${link}.`);
  // It fills in what is in no report yet.
  expect(said(await (await get(newReport)).text())).not.toContain("already names");
  const form = formTokenIn(filled);
  const preview = async (components: string): Promise<string> =>
    said(await (await post(newReport, { ...outage, form, components, preview: "yes" })).text());
  expect(await preview("2")).toContain(`Already in an open report: ${link}.`);
  expect(await preview("1")).not.toMatch(/already names|Already in/);
});

test("a report that names no component is on the page of an incident that its status page shows", async () => {
  const { ann } = await unreported();
  const { title, status, message } = outage;
  await ann.send(newReport, { title, status, message });
  const page = await ann.text("/incidents/7");
  expect(page.split("Reports on status pages</h2>")[1]).toContain("Billing is down");
  expect(page.split("Timeline</h2>")[1]).toContain("ann reported it on Acme");
  expect(page).toContain(">Update the report</a");
});
