import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import * as limits from "#limits/pages-limits";
import { agentBeat } from "../../../support/agent-beat.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey } from "../../../support/signed-in.ts";

/** What a person reads of a page, in one line. */
const wordsOf = async (answer: Promise<Response>): Promise<string> =>
  (await (await answer).text()).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");

/** A location with one agent, `gw-1`, that has called, and whose token is then replaced. */
async function rotatedScene(overlap: string) {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const { service } = scene;
  const { send, get } = await byKey(scene, "write");
  const endOld = () => send("/locations/1/token/revoke", { asked: "yes" });
  const { id } = await service.admin.createMonitor(
    { ...httpDefaults, name: "shop", url: "https://shop.test/", periodicity: "30s", active: true },
    "management",
  );
  const { token } = await service.admin.createPrivateLocation({
    name: "Office",
    monitorIds: [id],
    metadata: {},
  });
  expect(await agentBeat(service.url, token)).toBe(200);
  const path = (await send("/locations/1/token", { overlap })).headers.get("location") ?? "";
  const page = await (await get(path)).text();
  const fresh = /PICKET_TOKEN=(\S+)/.exec(page)?.[1] ?? "";
  return { ...scene, get, send, endOld, path, token, fresh };
}

test("a token that no agent has called with is not called in use while the agent still has the old one", async () => {
  const { service, clock, get, path, token, fresh } = await rotatedScene("24h");
  clock.suspend(60_000);
  expect(await agentBeat(service.url, token)).toBe(200);
  const waiting = await wordsOf(get(path));
  expect(waiting).toContain("Waiting for an agent with this token");
  expect(waiting).toContain("gw-1 still uses the old token, which ends in 23 h");
  expect(waiting).not.toContain("The agent has come");
  expect(await wordsOf(get("/locations/1"))).toContain("gw-1 still uses the old token");
  clock.suspend(60_000);
  expect(await agentBeat(service.url, fresh)).toBe(200);
  expect(await wordsOf(get(path))).toContain("The agent has come gw-1, version 0.1.0");
  clock.suspend(60_000);
  expect(await agentBeat(service.url, fresh)).toBe(200);
  expect(await wordsOf(get(path))).not.toContain("old token");
});

test("an agent that stopped before the rotation is not called using the old token until it calls with it", async () => {
  const { service, clock, get, send, token, fresh } = await rotatedScene("24h");
  // One stopped long ago without a word, and the other said that it stops as the token was replaced.
  expect(token).not.toBe(fresh);
  expect(await agentBeat(service.url, fresh, { instanceId: "silent" })).toBe(200);
  clock.suspend(10 * 60_000);
  expect(await agentBeat(service.url, fresh, { leaving: true })).toBe(200);
  clock.suspend(1000);
  await send("/locations/1/token", { overlap: "24h" });
  expect(await wordsOf(get("/locations/1"))).not.toMatch(/uses? the old token/);
  clock.suspend(1000);
  expect(await agentBeat(service.url, fresh)).toBe(200);
  expect(await wordsOf(get("/locations/1"))).toContain(
    "gw-1 (gw-1) still uses the old token, which",
  );
});

test("an agent whose token has ended is named on each page as soon as it calls, until it has the new one", async () => {
  const { service, clock, get, path, token, fresh } = await rotatedScene("0s");
  expect(await wordsOf(get(path))).toContain("Waiting for an agent with this token");
  clock.suspend(20_000);
  expect(await agentBeat(service.url, token)).toBe(401);
  const named = "gw-1 calls with a token that has ended";
  const refused = await wordsOf(get(path));
  expect(refused).toContain("Waiting for an agent with this token");
  expect(refused).toContain(named);
  for (const page of ["/locations", "/locations/1"]) {
    const words = await wordsOf(get(page));
    expect(words).toContain(named);
    expect(words).toContain("Refused");
    expect(words).not.toContain("Running");
  }
  const list = await wordsOf(get("/locations"));
  expect(list).toContain("Locations 1 refused, of 1 location ");
  expect(list).toContain("no agents");
  // The same for programs.
  expect(JSON.parse(await (await get("/locations.json")).text())).toMatchObject({
    total: 1,
    refused: 1,
    silent: 0,
    locations: [{ name: "Office", monitors: 1, agents: 0, agents_behind: 0 }],
  });
  expect(await wordsOf(get("/locations/1"))).toContain(
    "Start it with the new token. Create a new token",
  );
  await clock.advance(limits.pictureShownFor);
  expect(await wordsOf(get("/"))).toContain("Office is refused.");
  expect(await agentBeat(service.url, fresh)).toBe(200);
  const green = await wordsOf(get(path));
  expect(green).toContain("The agent has come");
  // Whether that was the refused one is not known yet: no alarm, no offer of a token, and when the line goes.
  const used = await wordsOf(get("/locations/1"));
  expect(used).toContain(
    "Its last such call was at 12:00:20 UTC . If you have started it with the new token since then, there is nothing left to do, and this message disappears at 12:01:50 UTC . If you have not, start it with the new token.",
  );
  expect(await (await get("/locations/1")).text()).not.toContain('class="trouble');
  clock.suspend(100_000);
  expect(await agentBeat(service.url, fresh)).toBe(200);
  expect(await wordsOf(get("/locations"))).not.toContain("has ended");
});

test("a token that was never one is refused as an ended one, and is noted nowhere", async () => {
  const { service, get, token } = await rotatedScene("0s");
  expect(await agentBeat(service.url, `${token}x`)).toBe(401);
  expect(await wordsOf(get("/locations"))).not.toContain("has ended");
});

test("a well agent's location is not called refused when another machine calls with a token that has ended", async () => {
  const { service, clock, get, endOld, token, fresh } = await rotatedScene("24h");
  clock.suspend(60_000);
  expect(await agentBeat(service.url, fresh)).toBe(200);
  clock.suspend(5000);
  await endOld();
  clock.suspend(1000);
  expect(await agentBeat(service.url, token)).toBe(401);
  await clock.advance(limits.pictureShownFor);
  const overview = await wordsOf(get("/"));
  expect(overview).not.toContain("is refused");
  expect(overview).not.toContain("not checked from there");
  const list = await wordsOf(get("/locations"));
  expect(list).toContain("Running");
  expect(list).not.toContain("Refused");
  // The one that was seen before the token ended may be the well one.
  expect(list).toContain("An agent calls with a token that has ended");
});

test("a refused agent that no longer calls is named by its last call, and no more after a day", async () => {
  const { service, clock, get, token } = await rotatedScene("0s");
  clock.suspend(20_000);
  expect(await agentBeat(service.url, token)).toBe(401);
  clock.suspend(100_000);
  const later = await wordsOf(get("/locations/1"));
  expect(later).toContain("gw-1 was refused with a token that has ended");
  expect(later).toContain("and last called with it at 22 Nov, 12:00:20 UTC");
  clock.suspend(24 * 3_600_000);
  const gone = await wordsOf(get("/locations/1"));
  expect(gone).not.toContain("has ended");
  expect(gone).toContain("Silent");
});

test("no agent is called running on the page of a location that is refused, also if two agents share its token", async () => {
  const { service, clock, get, endOld, token } = await rotatedScene("24h");
  expect(await agentBeat(service.url, token, { instanceId: "second" })).toBe(200);
  clock.suspend(5000);
  await endOld();
  clock.suspend(1000);
  expect(await agentBeat(service.url, token)).toBe(401);
  const page = await wordsOf(get("/locations/1"));
  expect(page).not.toContain("Running");
  expect(page.match(/Refused/g)).toHaveLength(3);
  // The second one has not called since, and had no other token.
  clock.suspend(100_000);
  expect((await wordsOf(get("/locations/1"))).match(/Refused/g)).toHaveLength(3);
});

test("a token that an agent still uses is revoked after one question, which names the agents that are cut off", async () => {
  const { service, clock, get, send, path, token, fresh } = await rotatedScene("24h");
  const revoke = "/locations/1/token/revoke";
  const alike = { instanceId: "second-of-gw-1" };
  expect(await agentBeat(service.url, token, alike)).toBe(200);
  const both = "gw-1 (gw-1) and gw-1 (second-o)";
  expect(await wordsOf(get("/locations/1"))).toContain(`${both} still use the old token`);
  expect(await (await get("/locations/1")).text()).toContain(`href="${revoke}"`);
  // Sent without the question, it asks.
  expect((await send(revoke)).headers.get("location")).toBe(revoke);
  expect(await agentBeat(service.url, token, alike)).toBe(200);
  clock.suspend(1000);
  expect(await agentBeat(service.url, fresh)).toBe(200);
  expect(await wordsOf(get(path))).toContain("gw-1 (second-o) still uses the old token");
  const question = await wordsOf(get(revoke));
  expect(question).toContain("Revoke the old token of Office?");
  expect(question).toContain("Still used by 1 agent: gw-1 (second-o)");
  expect(question).toContain("gw-1 (second-o) is cut off at once");
  const done = (await send(revoke, { asked: "yes" })).headers.get("location") ?? "";
  const after = await (await get(done)).text();
  expect(after).toContain(
    "Revoked. gw-1 (second-o) is cut off until you start it with the new token.",
  );
  expect(after.match(/Refused/g)).toHaveLength(1);
  expect(after.match(/Running/g)).toHaveLength(2);
  expect(await agentBeat(service.url, token, alike)).toBe(401);
  expect(await agentBeat(service.url, fresh, alike)).toBe(200);
  expect(await wordsOf(get(done))).not.toContain("cut off");
  // None is left.
  expect((await get(revoke)).headers.get("location")).toBe("/locations/1");
});

test("the page after a revocation does not call the only agent running, before its next call is refused", async () => {
  const { get, endOld } = await rotatedScene("24h");
  const done = (await endOld()).headers.get("location") ?? "";
  const page = await wordsOf(get(done));
  expect(page).toContain("gw-1 is cut off");
  expect(page).not.toContain("Running");
});
