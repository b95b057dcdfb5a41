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
const path = "/locations/1/agents/remove";
const asked = (agent: string): string => `${path}?agent=${encodeURIComponent(agent)}`;

test("an agent that is silent is removed after one question, with an entry in the audit log, and comes back by a call", async () => {
  const scene = await silentScene();
  const { get, send } = await byKey(scene, "write");
  const page = await (await get("/locations/1")).text();
  expect(page).toContain(`href="${asked("gw/1")}"`);
  expect(page).not.toContain("agent=new");
  const question = await wordsOf(get(asked("gw/1")));
  expect(question).toContain("Remove the agent gw (gw/1)?");
  expect(question).toContain("State silent Last heartbeat");
  expect(question).toContain("appears again. To keep it out, create a new token.");
  expect((await send(path, { agent: "gw/1" })).headers.get("location")).toBe(
    "/locations/1?notice=agent-removed",
  );
  expect(await wordsOf(get("/locations/1?notice=agent-removed"))).toContain(
    "Removed. An agent that calls again appears again.",
  );
  expect(await (await get("/locations/1")).text()).not.toContain("gw/1");
  expect(await wordsOf(get("/changes"))).toContain(
    "changed location Office Agents: removed gw (gw/1)",
  );
  expect((await send(path, { agent: "gw/1" })).status).toBe(404);
  const { token } = scene;
  expect(await agentBeat(scene.service.url, token, { instanceId: "gw/1" })).toBe(200);
  expect(await (await get("/locations/1")).text()).toContain("gw/1");
});

test("an agent that runs is not removed, and a reader is offered no removal", async () => {
  const scene = await silentScene();
  const editor = await byKey(scene, "write");
  const refused = await editor.send(path, { agent: "new" });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("stop it before you remove it");
  expect(await wordsOf(editor.get(asked("new")))).toContain(
    "It runs: nothing is removed before it is stopped.",
  );
  expect((await editor.send(path, { agent: "none" })).status).toBe(404);
  expect((await editor.get(asked("none"))).status).toBe(404);
  const reader = await byKey(scene, "read");
  expect(await (await reader.get("/locations/1")).text()).not.toContain("/remove?");
  expect((await reader.send(path, { agent: "gw/1" })).status).toBe(403);
});

test("an agent is removed whatever its id is, also if a browser would take that for a step of a path", async () => {
  const scene = await silentScene();
  const { get, send } = await byKey(scene, "write");
  const ids = [".", "..", "a&b=1", "é?#"];
  for (const instanceId of ids)
    expect(await agentBeat(scene.service.url, scene.token, { instanceId })).toBe(200);
  scene.clock.suspend(100_000);
  for (const agent of ids) {
    const page = await (await get("/locations/1")).text();
    const links = [...page.matchAll(/href="([^"]*remove[^"]*)"/g)].map(([, link = ""]) => link);
    const link = links.find((one) => one === asked(agent)) ?? "";
    // As a browser reads the link.
    const { pathname, search } = new URL(link, scene.service.url);
    const question = await (await get(`${pathname}${search}`)).text();
    const [, value = ""] = /name="agent" value="([^"]*)"/.exec(question) ?? [];
    expect(value.replaceAll("&amp;", "&")).toBe(agent);
    const answer = await send(path, { agent });
    expect(answer.headers.get("location")).toBe("/locations/1?notice=agent-removed");
  }
  expect(await (await get("/locations/1")).text()).not.toContain(asked("."));
});
