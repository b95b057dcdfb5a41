import { expect, test } from "vitest";
import { hours } from "#base/units";
import { operatorScene, type OperatorScene } from "../../../support/operator-scene.ts";
import { byAccount, byKey, cookieOf, signedIn } from "../../../support/signed-in.ts";

const scene = () => operatorScene({ pages: "signed in", days: 0 });

const whoami = async ({ service }: OperatorScene, key: string): Promise<number> =>
  (await fetch(`${service.url}/v1/whoami`, { headers: { "x-service-key": key } })).status;

const keyIn = (page: string): string => /pkt_key_[\w-]{43}/.exec(page)?.[0] ?? "";

test("an owner makes a key, sees it once, and revokes it", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const made = await owner.send("/settings/keys", { name: "ci", scope: "read", days: "" });
  const key = keyIn(await made.text());
  expect(await whoami(here, key)).toBe(200);
  const list = await owner.text("/settings/keys");
  expect(keyIn(list)).toBe("");
  expect(list).toMatch(/class="settings-title">Settings<\/p>\s*<nav class="parts"/);
  expect(list).toMatch(/data-label="Ends">\s*<span class="note">never</);
  expect(list).toMatch(/>ci<.*?data-label="Created">.*?by the key “ops”</);
  expect(list).toContain(`${key.slice(0, 12)}…`);
  const id = /keys\/(\d+)\/revoke[^"]*"[^]*?Revoke ci/.exec(list.slice(list.indexOf(">ci<")))?.[1];
  const asked = await owner.text(`/settings/keys/${id}/revoke`);
  expect(asked).toContain("Revoke the API key ci?");
  expect(asked).toMatch(/Last used<\/dt> <dd><time[^>]*>[^<]+<\/time>/);
  expect(asked).toContain("Programs that use it are refused at once.");
  expect(asked).toContain("No one is signed in with it.");
  expect(asked).toContain("This cannot be undone.");
  expect((await owner.send(`/settings/keys/${id}/revoke`)).status).toBe(303);
  expect(await whoami(here, key)).toBe(401);
  expect((await owner.get(`/settings/keys/${id}/revoke`)).status).toBe(404);
  expect(await owner.text("/settings/keys?notice=revoked")).toContain("Revoked.");
  expect(JSON.stringify(here.log.said)).not.toContain(key);
});

test("a key is used also by whoever signed in with it", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const lastUse = async (): Promise<string> =>
    /data-label="Last used">\s*<time datetime="([^"]+)"/.exec(
      await owner.text("/settings/keys"),
    )?.[1] ?? "";
  here.clock.suspend(hours(3));
  const at = new Date(here.clock.wall()).toISOString();
  await owner.text("/settings/keys");
  await expect.poll(lastUse).toBe(at);
});

test("a key does not take the name of a person, and the audit log calls whoever signed in with it as it calls the key", async () => {
  const here = await scene();
  await byAccount(here, "ann@example.com", "reader");
  const owner = await byKey(here, "write");
  const refused = await owner.send("/settings/keys", { name: "Ann", scope: "read", days: "" });
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining("Name belongs to a person: choose another</a>."),
  ]);
  await owner.send("/settings/keys", { name: "ci", scope: "read", days: "" });
  const log = await owner.text("/changes?kind=key");
  expect(log).toMatch(/title="API key".{0,400}<strong>Key “ops”<\/strong> created/);
  const { changes } = JSON.parse(await owner.text("/changes.json?kind=key"));
  expect(changes[0].who).toMatchObject({
    kind: "key",
    name: expect.stringMatching(/^\d+ \(ops\)$/),
  });
  expect(await owner.text("/settings/sessions")).toContain('<th scope="row">Key “ops”</th>');
});

test("a key that has ended opens neither calls nor pages, and is listed as ended", async () => {
  const here = await scene();
  const owner = await byKey(here, "write");
  const made = await owner.send("/settings/keys", { name: "ci", scope: "write", days: "2" });
  const secret = keyIn(await made.text());
  const guest = signedIn(here, cookieOf(await here.post("/sign-in", { secret })));
  expect([await whoami(here, secret), (await guest.get("/")).status]).toEqual([200, 200]);
  here.clock.suspend(hours(48));
  expect([await whoami(here, secret), (await guest.get("/")).status]).toEqual([401, 303]);
  expect((await here.post("/sign-in", { secret })).status).toBe(403);
  expect(await owner.text("/settings/keys")).toContain("<strong>ended</strong>");
});

test("a refused key says which field and what it takes, and keeps what was typed", async () => {
  const owner = await byKey(await scene(), "write");
  const refused = await owner.send("/settings/keys", { name: "ci", scope: "write", days: "0" });
  const page = (await refused.text()).replaceAll(/\s+/g, " ");
  expect(refused.status).toBe(400);
  expect(page).toContain("Ends after days must be a whole number from 1 to 3 650</a>.");
  expect(page).toContain('value="ci"');
  expect(page).toMatch(/<option value="write" +selected/);
  const nameless = await owner.send("/settings/keys", { name: " ", scope: "read", days: "" });
  expect(await nameless.text()).toContain("Enter a name.");
});

test.each([
  ["", ">never<"],
  ["30", "2026-12-22"],
  ["365", "2027-11-22"],
])("a key whose end is chosen as “%s” has “%s” in the list", async (end, listed) => {
  const owner = await byKey(await scene(), "write");
  await owner.send("/settings/keys", { name: "ci", scope: "read", end, days: "" });
  const [row = ""] =
    /<th scope="row">ci<\/th>.*?<\/tr>/s.exec(await owner.text("/settings/keys")) ?? [];
  expect(row).toContain(listed);
});

test.each([
  ["", "90", "Ends after days needs “after another number of days” at “Ends”"],
  ["soon", "", "Ends is not one of the ends that can be chosen"],
  ["other", "", "It must be a whole number from 1 to 3"],
])("an end of “%s” with “%s” days is refused", async (end, days, words) => {
  const owner = await byKey(await scene(), "write");
  const refused = await owner.send("/settings/keys", { name: "ci", scope: "read", end, days });
  expect(refused.status).toBe(400);
  expect(await refused.text()).toContain(words);
});

test("a reader sees no key and is not offered the page", async () => {
  const here = await scene();
  const reader = await byKey(here, "read");
  expect(await reader.text("/settings")).not.toContain("/settings/keys");
  for (const path of ["", "/new", "/1/revoke"])
    expect((await reader.get(`/settings/keys${path}`)).status).toBe(403);
  expect((await reader.send("/settings/keys/1/revoke")).status).toBe(403);
});
