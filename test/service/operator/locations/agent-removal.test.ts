import { expect, test } from "vitest";
import { agentBeat } from "../../../support/agent-beat.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

const wordsOf = async (answer: Promise<Response>): Promise<string> =>
  (await (await answer).text()).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

/** A location whose agent `gw/1` is silent, and whose other agent runs. */
async function silentScene() {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const { service, clock } = scene;
  const { token } = await service.admin.createPrivateLocation({
    name: "Office",
    monitorIds: [],
    metadata: {},
  });
  expect(await agentBeat(service.url, token, { instanceId: "gw/1", hostname: "gw" })).toBe(200);
  clock.suspend(100_000);
  expect(await agentBeat(service.url, token, { instanceId: "new", hostname: "gw" })).toBe(200);
  return { ...scene, token };
}
const path = "/locations/1/agents/gw%2F1/remove";

test("an agent that is silent is removed after one question, with an entry in the audit log, and comes back by a call", async () => {
  const scene = await silentScene();
  const { get, send } = await byKey(scene, "write");
  const page = await (await get("/locations/1")).text();
  expect(page).toContain(`href="${path}"`);
  expect(page).not.toContain("agents/new/remove");
  const question = await wordsOf(get(path));
  expect(question).toContain("Remove the agent gw (gw/1)?");
  expect(question).toContain("State silent Last heartbeat");
  expect(question).toContain("appears again. To keep it out, create a new token.");
  expect((await send(path)).headers.get("location")).toBe("/locations/1?notice=agent-removed");
  expect(await wordsOf(get("/locations/1?notice=agent-removed"))).toContain(
    "Removed. An agent that calls again appears again.",
  );
  expect(await (await get("/locations/1")).text()).not.toContain("gw/1");
  expect(await wordsOf(get("/changes"))).toContain(
    "changed location Office Agents: removed gw (gw/1)",
  );
  expect((await send(path)).status).toBe(404);
  const { token } = scene;
  expect(await agentBeat(scene.service.url, token, { instanceId: "gw/1" })).toBe(200);
  expect(await (await get("/locations/1")).text()).toContain("gw/1");
});

test("an agent that runs is not removed, and a reader is offered no removal", async () => {
  const scene = await silentScene();
  const editor = await byKey(scene, "write");
  const refused = await editor.send("/locations/1/agents/new/remove");
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("stop it before you remove it");
  expect(await wordsOf(editor.get("/locations/1/agents/new/remove"))).toContain(
    "It runs: nothing is removed before it is stopped.",
  );
  expect((await editor.send("/locations/1/agents/%FF/remove")).status).toBe(404);
  const reader = await byKey(scene, "read");
  expect(await (await reader.get("/locations/1")).text()).not.toContain("/remove");
  expect((await reader.send(path)).status).toBe(403);
});
