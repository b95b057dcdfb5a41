import { expect, test } from "vitest";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { generatedPage } from "../../../support/status-page-scene.ts";

test("a component without a monitor is added with its description and its group at once", async () => {
  const { service, get, post } = await operatorScene();
  await generatedPage(service);
  const page = await (await get("/status-pages/1?add=parts")).text();
  const form = formTokenIn(page);
  const action = page.slice(page.indexOf('action="/status-pages/1/parts"'));
  for (const field of ["name", "description", "group"])
    expect(action.slice(0, action.indexOf("</form>"))).toContain(`name="${field}"`);
  const typed = { form, name: "Front desk", description: "Phone and mail.", group: "2" };
  expect((await post("/status-pages/1/parts", typed)).status).toBe(303);
  const shown = await (await get("/status/acme")).text();
  expect(shown.slice(shown.indexOf('id="group-2"'))).toMatch(/Front desk[^]*Phone and mail\./);
});
