import { expect, test } from "vitest";
import { applyFile } from "../../../support/applied-file.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";

test("an undo of a component says whose files have its page now, and puts nothing back", async () => {
  const { service, get, post } = await operatorScene({ days: 0 });
  const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
  const call = (method: string, body: object): Promise<Response> =>
    fetch(`${service.url}/openstatus.status_page.v1.StatusPageService/${method}`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-service-key": key },
      body: JSON.stringify(body),
    });
  await call("CreateStatusPage", { slug: "acme", title: "Acme" });
  await call("AddStaticComponent", { pageId: "1", name: "Desk" });
  await call("RemoveComponent", { id: "1" });
  const shown = async () => (await get("/status-pages?deleted=component.1")).text();
  expect(await shown()).toContain("You can undo this until");
  await applyFile(service, { owner: "team", pages: [{ page: { slug: "acme", title: "Acme" } }] });
  expect(await shown()).not.toContain("You can undo this until");
  const form = formTokenIn(await (await get("/locations/new")).text());
  const answer = await post("/undo", { form, kind: "component", ids: "1" });
  expect([answer.status, await answer.text()]).toEqual([
    409,
    expect.stringContaining("The files of team manage its page: put it back in the files"),
  ]);
  expect((await call("UpdateComponent", { id: "1", name: "Desk" })).status).toBe(404);
});
