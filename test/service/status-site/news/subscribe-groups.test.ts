import { expect, test } from "vitest";
import { statusScene } from "../status-scene.ts";

test("the form to subscribe has the components of a group together, under its name", async () => {
  await using here = await statusScene([], { port: 1 });
  await here.call("CreateStatusPage", { title: "Acme", slug: "acme" });
  await here.call("CreateComponentGroup", { pageId: "1", name: "Web" });
  for (const [name, groupId] of [
    ["Desk", ""],
    ["Shop", "1"],
    ["Blog", "1"],
  ])
    await here.call("AddStaticComponent", { pageId: "1", name, groupId });
  const page = await (await here.get("/status/acme/subscribe")).text();
  const form = page.slice(page.indexOf("<fieldset>"), page.lastIndexOf("</fieldset>"));
  const words = [...form.matchAll(/<(legend|span)>([^<]+)</g)].map(([, , word]) => word);
  expect(words.slice(1)).toEqual(["Desk", "Web", "Shop", "Blog"]);
  expect(form.slice(form.lastIndexOf("<fieldset>"))).not.toContain("Desk");
});
