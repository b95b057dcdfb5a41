import { Socket } from "node:net";
import { expect, test } from "vitest";
import { parseBlock } from "#network/address-block";
import { isBelieved } from "#web/reader-address";
import { domainLeadFreshFor, domainLookUpTimeout } from "#limits/status-limits";
import { domainNote } from "#service/operator/publishing/domain-note";
import type { LookUp } from "#service/status-site/domain-look-up";
import { DomainLooks } from "#service/status-site/domain-looks";
import { pageDefaults } from "#service/status-page/page-definition";
import type { StatusPageRow } from "#service/store/page-store";
import { epochMillis } from "#base/units";
import { noAccounts } from "#service/notify/accounts";
import { accounts } from "../../../support/notices.ts";
import { FakeClock } from "../../../support/fake-clock.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { formTokenIn } from "../../../support/signed-in.ts";
import { getAs, requestAs } from "../../status-site/status-scene.ts";

test("links keep the address that they have until the first request has come over https by the page's own domain", async () => {
  const { service, get, post } = await operatorScene({
    accounts: { ...noAccounts, smtp: accounts.smtp },
  });
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  await post("/settings/service", { form, address: "https://picket.acme.test" });
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  await post("/status-pages/1/publish", { form });
  const settings = async (query = ""): Promise<string> =>
    (await get(`/status-pages/1/settings${query}`)).text();
  const places = async (): Promise<readonly boolean[]> => {
    const shared = await (await get("/status-pages/1/share")).text();
    const links = `${await (await get("/status/acme")).text()} ${shared}`;
    return ["picket.acme.test/status/acme", "status.acme.test"].flatMap((place) =>
      ["/subscribe", "/badge", "/feed/rss", "/calendar.ics"].map((end) =>
        links.includes(`https://${place}${end}`),
      ),
    );
  };
  const before = [true, true, true, true, false, false, false, false];
  expect(await places()).toEqual(before);
  const named = { title: "Acme", slug: "acme", custom_domain: "Status.Acme.test" };
  const saved = await post("/status-pages/1", {
    form,
    ...named,
    default_locale: "en",
    time_zone: "UTC",
  });
  const said =
    "status.acme.test has no address in DNS yet: point it at picket.acme.test. Until the first reader reaches the page there by https, links keep the address they have.";
  expect(
    await settings(new URL(saved.headers.get("location") ?? "", service.url).search),
  ).toContain(`Saved. ${said}`);
  expect(await settings()).toContain(said);
  expect(await places()).toEqual(before);
  expect(await (await get("/status-pages/1.json")).json()).toMatchObject({
    custom_domain: "status.acme.test",
    domain_reached: false,
  });
  expect((await getAs(`${service.url}/`, "status.acme.test:21200")).status).toBe(200);
  // A write comes after those that were before it.
  await post("/status-pages/1", { form, ...named, default_locale: "en", time_zone: "UTC" });
  expect(await places()).toEqual(before);
  expect(await settings()).toContain(said);
  const there = await requestAs(`${service.url}/`, {
    headers: { host: "status.acme.test", "x-forwarded-proto": "https" },
  });
  expect(there.status).toBe(200);
  expect(there.body).toContain("https://status.acme.test/subscribe");
  await expect.poll(places).toEqual(before.toReversed());
  expect(await settings()).not.toContain("links keep the address");
});

test.each([
  [
    "https://status.acme.test:8443/",
    "must be a host name without a port: leave out :8443, for example status.acme.test",
  ],
  [
    "https://status.acme.test/status/acme",
    "must be a host name without a path, as the page is at the root of its domain: leave out /status/acme, for example status.acme.test",
  ],
  [
    "https://www.acme.test/",
    "must be a host name without scheme, path and www., for example status.acme.example",
  ],
])("a page's own domain is a pasted URL, but not %s", async (refused, why) => {
  const { get, post } = await operatorScene({ days: 0 });
  const form = formTokenIn(await (await get("/maintenances/new")).text());
  await post("/status-pages", { form, title: "Acme", slug: "acme" });
  const named = { form, title: "Acme", slug: "acme", default_locale: "en", time_zone: "UTC" };
  await post("/status-pages/1", { ...named, custom_domain: "HTTPS://Status.Acme.test/" });
  const kept = async () => (await get("/status-pages/1.json")).json();
  expect(await kept()).toMatchObject({ custom_domain: "status.acme.test" });
  const answer = await post("/status-pages/1", { ...named, custom_domain: refused });
  const page = await answer.text();
  expect([answer.status, page]).toEqual([422, expect.stringContaining(why.slice(5))]);
  // What was typed is there to be corrected.
  expect(page).toContain(`value="${refused}"`);
  expect(await kept()).toMatchObject({ custom_domain: "status.acme.test" });
});

test("who only writes that a request came by https changes no links: the header of a proxy that is named counts", async () => {
  const overTls = { host: "status.acme.test", "x-forwarded-proto": "https" };
  const isReached = async (proxy: string): Promise<boolean> => {
    const trustedProxies = [parseBlock(proxy)].filter((one) => one !== null);
    const { service, get, post } = await operatorScene({ days: 0, trustedProxies });
    const form = formTokenIn(await (await get("/maintenances/new")).text());
    const named = { form, title: "Acme", slug: "acme", default_locale: "en", time_zone: "UTC" };
    await post("/status-pages", named);
    await post("/status-pages/1", { ...named, custom_domain: "status.acme.test" });
    await post("/status-pages/1/publish", { form });
    const shown = await requestAs(`${service.url}/`, { headers: overTls });
    expect(shown.status).toBe(200);
    // A write comes after those that were before it.
    await post("/status-pages/1", { ...named, custom_domain: "status.acme.test" });
    return (await (await get("/status-pages/1.json")).text()).includes('"domain_reached":true');
  };
  expect(await isReached("10.0.0.0/8")).toBe(false);
  expect(await isReached("127.0.0.1")).toBe(true);
});

test.each([
  ["127.0.0.1", true],
  ["::ffff:172.17.0.1", true],
  ["fd00::1", true],
  ["203.0.113.7", false],
  ["2001:db8::7", false],
])("without a named proxy, what %s says of its reader counts: %s", (remoteAddress, counts) => {
  const socket = Object.defineProperty(new Socket(), "remoteAddress", { value: remoteAddress });
  expect(isBelieved({ socket }, [])).toBe(counts);
});

const notFound = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });

/** What is said of a domain by a DNS that has these addresses. */
function noting(
  known: Readonly<Record<string, string>>,
  url: string | null,
  clock = new FakeClock(),
) {
  const asked: string[] = [];
  const lookUp: LookUp = (host) => {
    asked.push(host);
    const found = known[host];
    if (found === "never") return new Promise(() => {});
    return found === undefined ? Promise.reject(notFound) : Promise.resolve([found]);
  };
  const rooms = { publicAddress: { url }, domainLooks: new DomainLooks(clock, lookUp) };
  const note = (customDomain: string, reachedBy = ""): Promise<string | null> =>
    domainNote(rooms, pageAt(customDomain, reachedBy));
  return { asked, note, clock };
}

const at = epochMillis(0);
const pageAt = (customDomain: string, reachedBy: string): StatusPageRow => ({
  id: 1,
  uid: "1",
  sealed: "",
  owner: "",
  labels: {},
  createdAt: at,
  updatedAt: at,
  definition: { ...pageDefaults, title: "Acme", slug: "acme", customDomain },
  reachedBy,
});

test("the settings say where DNS leads a domain, and nothing once a reader has come by it", async () => {
  const known = { "picket.acme.com": "192.0.2.1", "s.acme.com": "192.0.2.1", "o.acme.com": "::2" };
  const { note } = noting(known, "https://picket.acme.com/");
  expect(await note("")).toBeNull();
  expect(await note("S.acme.com", "s.acme.com")).toBeNull();
  expect(await note("s.acme.com", "old.acme.com")).toMatch(
    /^s\.acme\.com has an address in DNS: open https:\/\/s\.acme\.com to see/,
  );
  expect(await note("n.acme.com")).toMatch(/^n\.acme\.com has no address in DNS yet: point it at/);
  expect(await note("o.acme.com")).toMatch(
    /^o\.acme\.com points to ::2, and the service is at 192\.0\.2\.1\. That is right only if a proxy/,
  );
  const where =
    "the address at which readers reach this machine, or the proxy in front of this service";
  expect(await noting(known, null).note("n.acme.com")).toBe(
    `n.acme.com has no address in DNS yet: point it at ${where}.`,
  );
  // Its own address is one that no reader can reach.
  for (const url of ["http://127.0.0.1:8080/", "http://localhost:8080/", "http://[::1]:8080/"])
    expect(await noting(known, url).note("n.acme.com")).toContain(`: point it at ${where}. Until`);
});

test("a domain is looked up once in five seconds, never for long, and two at a time", async () => {
  const clock = new FakeClock();
  const known = { "a.acme.com": "never", "b.acme.com": "never", "c.acme.com": "192.0.2.1" };
  const { note, asked } = noting(known, null, clock);
  const hanging = [note("a.acme.com"), note("b.acme.com"), note("a.acme.com")];
  expect(await note("c.acme.com")).toMatch(/^DNS did not say where c\.acme\.com leads/);
  await clock.advance(domainLookUpTimeout);
  for (const one of await Promise.all(hanging)) expect(one).toMatch(/^DNS did not say/);
  expect(asked).toEqual(["a.acme.com", "b.acme.com"]);
  const quick = noting(known, null, clock);
  await quick.note("c.acme.com");
  await quick.note("c.acme.com");
  expect(quick.asked).toHaveLength(1);
  await clock.advance(domainLeadFreshFor);
  await quick.note("c.acme.com");
  expect(quick.asked).toHaveLength(2);
});
