import { expect, test } from "vitest";
import { httpDefaults } from "#check/definition";
import * as limits from "#limits/pages-limits";
import { agentBeat } from "../../../support/agent-beat.ts";
import { applyFile } from "../../../support/applied-file.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey, type SignedIn } from "../../../support/signed-in.ts";

const tokenIn = (page: string): string => /PICKET_TOKEN=(\S+)/.exec(page)?.[1] ?? "";
const textOf = async (answer: Promise<Response>): Promise<string> => (await answer).text();
/** Where an answer leads. */
const ledTo = (answer: Response): string => answer.headers.get("location") ?? "";
/** Makes a location, and gives the address of the page with its token. */
const made = async ({ send }: SignedIn, name = "Berlin"): Promise<string> =>
  ledTo(await send("/locations/new", { name }));

test("a new location's token is in the commands for its maker, for an hour, and for no one else", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const ben = await byKey(scene, "write");
  const path = await made(ann);
  expect(path).toMatch(/^\/locations\/1\/start\?shown=/);
  const token = tokenIn(await textOf(ann.get(path)));
  expect(token).toMatch(/^pkt_loc_/);
  expect(await agentBeat(scene.service.url, token)).toBe(200);
  expect(tokenIn(await textOf(ann.get(path)))).toBe(token);
  expect(tokenIn(await textOf(ben.get(path)))).toBe("TOKEN");
  expect(tokenIn(await textOf(ann.get("/locations/1/start")))).toBe("TOKEN");
  scene.clock.suspend(limits.secretShownFor + 1_000);
  expect(await textOf(ann.get(path))).not.toContain(token);
});

test("a location whose agent has come says that it has nothing to check, and leads to where monitors are assigned", async () => {
  const { service, clock, get } = await operatorScene({ days: 0 });
  const { token } = await service.admin.createPrivateLocation({
    name: "Berlin",
    monitorIds: [],
    metadata: {},
  });
  const start = async (): Promise<string> => textOf(get("/locations/1/start?next=/start"));
  expect(await start()).not.toContain("nothing to check");
  expect(await agentBeat(service.url, token)).toBe(200);
  const empty = await start();
  expect(empty).toContain("Connected. It has nothing to check yet.");
  expect(empty).not.toContain("0 monitors");
  expect(empty).toContain('href="/monitors/new">Create monitor</a>');
  // The next step is in the box that says so, above the commands.
  expect(empty).toMatch(/href="\/start">Back to first steps<\/a>.*id="ways"/s);
  expect(empty.match(/Back to first steps/g)).toHaveLength(1);
  const { id } = await service.admin.createMonitor(
    { ...httpDefaults, name: "shop", url: "https://shop.test/", periodicity: "30s", active: true },
    "management",
  );
  await clock.advance(limits.pictureShownFor);
  expect(await start()).toContain('href="/locations/1/edit">Assign monitors</a>');
  await service.admin.updatePrivateLocation("1", { monitorIds: [id] });
  expect(await agentBeat(service.url, token, { monitorCount: 0 })).toBe(200);
  const assigned = await start();
  expect(assigned).toContain("it gets its monitors now");
  expect(assigned).not.toContain("nothing to check");
});

test("a rotated token overlaps with the old one, which is revoked at a click", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const { service } = scene;
  const ann = await byKey(scene, "write");
  const old = tokenIn(await textOf(ann.get(await made(ann))));
  scene.clock.suspend(60_000);
  const path = ledTo(await ann.send("/locations/1/token", { overlap: "24h" }));
  const fresh = tokenIn(await textOf(ann.get(path)));
  expect(fresh).not.toBe(old);
  expect(await agentBeat(service.url, old)).toBe(200);
  expect(await agentBeat(service.url, fresh)).toBe(200);
  const shown = await textOf(ann.get("/locations/1"));
  expect(shown).toContain("The one before it still works until");
  expect(shown).toMatch(/until\s+<time datetime="2026-11-23T12:01:00.000Z">/);
  expect(shown).not.toContain(old);
  expect(shown).not.toContain(fresh);
  expect(shown).toContain("Revoke now");
  expect(ledTo(await ann.send("/locations/1/token/revoke"))).toBe("/locations/1?notice=revoked");
  expect(await agentBeat(service.url, old)).toBe(401);
  expect(await agentBeat(service.url, fresh)).toBe(200);
  expect(await textOf(ann.get("/locations/1"))).not.toContain("Revoke now");
  // Each is another line of the audit log.
  const log = (await textOf(ann.get("/changes"))).replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
  expect(log).toContain("revoked the old token of location Berlin");
  expect(log).toContain("created a new token of location Berlin");
  expect(log).not.toContain("changed location Berlin");
});

test("a token without an overlap ends the old one at once, and an overlap that is none is refused", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const old = tokenIn(await textOf(ann.get(await made(ann))));
  await ann.send("/locations/1/token", { overlap: "0s" });
  expect(await agentBeat(scene.service.url, old)).toBe(401);
  const refused = await ann.send("/locations/1/token", { overlap: "169h" });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain("overlap must be a duration up to 168h, for example 1h");
});

test("what is refused names the field, says what would be taken, and keeps what was typed", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const refused = await ann.send("/locations/new", {
    name: "x".repeat(257),
    "metadata[0].key": "site",
    "metadata[0].value": "b".repeat(257),
    monitor_ids: "7",
  });
  expect(refused.status).toBe(422);
  const page = await refused.text();
  expect(page).toContain("Monitors have one that was deleted meanwhile");
  expect(page).toContain("They have one that was deleted meanwhile");
  expect(page).toContain("b".repeat(257));
  const again = await ann.send("/locations/new", {
    name: "x".repeat(257),
    "metadata[0].key": "site",
    "metadata[0].value": "b".repeat(257),
  });
  const next = await again.text();
  expect(next).toContain("Name is longer than 256 characters");
  expect(next).toContain("Labels have a value that is longer than 256 characters");
  expect(await textOf(ann.get("/locations"))).toContain("There is no location yet");
});

test("agents that are behind the service or the newest of them are named, in the list and on the page", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const { service } = scene;
  const ann = await byKey(scene, "write");
  const token = tokenIn(await textOf(ann.get(await made(ann))));
  await agentBeat(service.url, token, { instanceId: "a", hostname: "gw-a", agentVersion: "0.0.9" });
  await agentBeat(service.url, token, {
    instanceId: "b",
    hostname: "gw-b",
    agentVersion: "9.10.0",
  });
  await agentBeat(service.url, token, { instanceId: "c", hostname: "gw-c", agentVersion: "9.9.0" });
  expect(await textOf(ann.get("/locations"))).toMatch(/3 agents, 2 behind/);
  const page = (await textOf(ann.get("/locations/1"))).replaceAll(/\s+/g, " ");
  expect(page).toMatch(/2 agents are behind version 9\.10\.0/);
  const { locations } = JSON.parse(await textOf(ann.get("/locations.json")));
  expect(locations).toMatchObject([{ name: "Berlin", agents: 3, agents_behind: 2 }]);
});

test("what a file owns says so, and no form changes or deletes it", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  await applyFile(scene.service, {
    owner: "team-net",
    locations: [{ name: "Berlin", metadata: {} }],
  });
  expect(await textOf(ann.get("/locations/1"))).toContain("Managed by the files of team-net");
  expect(await textOf(ann.get("/locations/1/edit"))).toContain("<fieldset  disabled");
  const refused = await ann.send("/locations/1/edit", { name: "Munich" });
  expect([refused.status, await refused.text()]).toEqual([
    422,
    expect.stringContaining("Managed by the files of team-net: change it there."),
  ]);
  expect((await ann.send("/locations/1/delete")).status).toBe(400);
  expect(await textOf(ann.get("/locations"))).toContain("Berlin");
});

test("a delete asks once, says what goes with it, takes the agents' token, and is undone with one button", async () => {
  const scene = await operatorScene({ pages: "signed in" });
  const ann = await byKey(scene, "write");
  const asked = (await textOf(ann.get("/locations/1/delete"))).replaceAll(/\s+/g, " ");
  expect(asked).toContain("What it saw of 12 monitors");
  expect(asked).toContain(
    "No other location checks 3 monitors: Database primary, Database replica and Bastion.",
  );
  expect(ledTo(await ann.send("/locations/1/delete"))).toBe("/locations?deleted=location.1");
  expect((await ann.get("/locations/1")).status).toBe(404);
  const notice = await textOf(ann.get("/locations?deleted=location.1"));
  expect(notice).toContain("is deleted. You can undo this until");
  const undone = await ann.send("/undo", { kind: "location", ids: "1" });
  expect(ledTo(undone)).toBe("/locations/1?restored=location.1");
  const back = (await textOf(ann.get("/locations/1"))).replaceAll(/\s+/g, " ");
  expect(back).toContain("12 monitors");
});

test("a name that another location has is asked about once, with a link to that one, and saved then", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  await made(ann);
  const asked = await ann.send("/locations/new", { name: "berlin" });
  const page = await asked.text();
  expect(asked.status).toBe(200);
  expect(page.replaceAll(/\s+/g, " ")).toContain(
    'Another location is called <a href="/locations/1">Berlin</a>, and messages would not say which one they mean. <a href="#field-name">Change the name</a>, or save it anyway.',
  );
  const known = /name="known" value="(\w+)"/.exec(page)?.[1] ?? "";
  expect(ledTo(await ann.send("/locations/new", { name: "berlin", known }))).toMatch(
    /^\/locations\/2\/start/,
  );
  // Whoever saves it again knows; a name that becomes the same is asked about.
  expect((await ann.send("/locations/2/edit", { name: "berlin" })).status).toBe(303);
  expect((await ann.send("/locations/2/edit", { name: "Bonn" })).status).toBe(303);
  expect(await textOf(ann.send("/locations/2/edit", { name: "BERLIN" }))).toContain(
    "Another location is called",
  );
});

test("the audit log has one entry of a location that was just created: no token of it was rotated", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  await made(ann);
  const entries = async (): Promise<number> =>
    (await textOf(ann.get("/changes?kind=location"))).match(/id="change-\d+"/g)?.length ?? 0;
  expect(await entries()).toBe(1);
  await ann.send("/locations/1/token", { overlap: "0s" });
  expect(await entries()).toBe(2);
});

test("the list of locations has those that are silent first, then those that wait for an agent, with a link to start one", async () => {
  const scene = await operatorScene({ pages: "signed in", days: 0 });
  const ann = await byKey(scene, "write");
  const { admin } = scene.service;
  const make = async (name: string): Promise<string> =>
    (await admin.createPrivateLocation({ name, monitorIds: [], metadata: {} })).token;
  const [well] = [await make("Well"), await make("Waiting")];
  expect(await agentBeat(scene.service.url, await make("Silent"))).toBe(200);
  scene.clock.suspend(100_000);
  expect(await agentBeat(scene.service.url, well)).toBe(200);
  const list = await textOf(ann.get("/locations"));
  const names = [...list.matchAll(/<h3><a href="[^"]+">(\w+)</g)].map(([, name]) => name);
  expect(names).toEqual(["Silent", "Waiting", "Well"]);
  expect(list).toContain('aria-label="Start an agent of Waiting"');
  expect(list).not.toContain("Start an agent of Well");
  const reader = await byKey(scene, "read");
  expect(await textOf(reader.get("/locations"))).not.toContain("Start an agent of");
});
