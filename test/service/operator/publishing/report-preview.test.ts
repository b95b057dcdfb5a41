import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

test("a report's preview says what its mail is called as soon as the report has a title", async () => {
  const { service, get, post } = await operatorScene();
  await generatedPage(service);
  const path = "/status-pages/1/reports/new";
  const form = formTokenIn(await (await get(path)).text());
  const preview = async (title: string): Promise<string> => {
    const typed = { form, title, status: "investigating", notify: "on", preview: "yes" };
    const page = await (await post(path, typed)).text();
    const [, words = ""] =
      /<p class="help">\s*(The page&#39;s subscribers.*?)<\/p>/s.exec(page) ?? [];
    return words.trim().replaceAll("&#39;", "'");
  };
  const sent = "The page's subscribers get it, too.";
  expect(await preview(" ")).toBe(sent);
  expect(await preview("Slow")).toBe(`${sent} Their mail is called “Investigating: Slow · Acme”.`);
});

test("the forms of reports say that no one has subscribed to the page, before anything is sent", async () => {
  const { service, get } = await operatorScene();
  await generatedPage(service);
  for (const path of ["/status-pages/1/reports/new", "/reports/1"])
    expect(await (await get(path)).text()).toContain("No one has subscribed to the page yet.");
});

test("the preview of a correction has the states that the page has after it, also by later updates", async () => {
  const { service, get, post } = await operatorScene();
  await generatedPage(service);
  const form = formTokenIn(await (await get("/reports/1")).text());
  const said = { form, status: "identified", message: "Half of them.", components: "2" };
  await post("/reports/1", { ...said, impact: "partial_outage" });
  const edits =
    (await (await get("/reports/1")).text()).match(/\/reports\/1\/updates\/\d+\/edit(?=")/g) ?? [];
  const [newest = "", first = ""] = [edits[0], edits.at(-1)];
  const statesAt = async (path: string, impact: string): Promise<string> => {
    const typed = { ...said, title: "Cards fail", impact, preview: "yes" };
    const page = await (await post(path, typed)).text();
    const [, list = ""] = /<h3>Component states<\/h3>(.*?)Mails that/s.exec(page) ?? [];
    return list
      .replaceAll(/<svg[^]*?<\/svg>|<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim();
  };
  const later = "Later updates count: these are the states after them.";
  expect(await statesAt(first, "major_outage")).toMatch(new RegExp(`^Partial outage .+ ${later}$`));
  expect(await statesAt(newest, "degraded_performance")).toMatch(/^Degraded /);
  expect(await statesAt(newest, "degraded_performance")).not.toContain(later);
});
