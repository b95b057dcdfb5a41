import { beforeAll, expect, test } from "vitest";
import type { Outcome } from "#check/outcome";
import { probeHttp } from "#probes/http/http";
import { say } from "#service/notify/message/say";
import { monitorId } from "#service/store/ids";
import { epochMillis, millis } from "#base/units";
import { answers, tlsPeer } from "../../servers/scripted.ts";
import { Authority } from "../../support/authority.ts";
import { attempt, contextWith, httpTarget } from "../../support/probing.ts";
import { resultWith, wireMessage } from "../../support/results.ts";
import { reading } from "../../support/reading-pages.ts";
import { alertedOffice, type Office } from "./alerted-office.ts";

const day = 86_400_000;
/** Certificates are judged by the machine's own clock when a probe sees them, so the service's begins there, too. */
const today = Math.floor(Date.now() / day) * day + day;

let near: Outcome;
let renewed: Outcome;

/** What a real probe sees of a server whose certificate is valid for 90 days, `left` of them from now on. */
async function seenWith(authority: Authority, left: number): Promise<Outcome> {
  const validTo = new Date(today + left * day);
  const validFrom = new Date(today + (left - 90) * day);
  const identity = await authority.issue({ validFrom, validTo });
  const script = answers("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  await using peer = await tlsPeer(identity, script);
  const target = httpTarget(`https://localhost:${peer.port}/`);
  return await attempt(probeHttp, target, contextWith({ ca: authority.cert }));
}

beforeAll(async () => {
  const authority = await Authority.create();
  near = await seenWith(authority, 29.5);
  renewed = await seenWith(authority, 80);
});

/** The office's first monitor passed in the slot of now, and saw this. */
async function report(
  { service, token, clock, monitors }: Office,
  outcome: Outcome,
): Promise<void> {
  const slot = epochMillis(Math.floor(clock.wall() / 1_000) * 1_000);
  const monitorId = monitors[0] ?? "";
  const result = resultWith({ monitorId, slot, startedAt: slot, latency: millis(20), outcome });
  await service.agent(token).ingestBatch({ instanceId: "a", results: [wireMessage(result)] });
}

/** Passes to so many days before the end of the certificate, and reports what was seen then, for some minutes. */
async function reportAt(office: Office, left: number, outcome = near): Promise<void> {
  const at = today + 29.5 * day - left * day;
  office.clock.suspend(at - office.clock.wall());
  for (let round = 0; round < 6; round += 1) {
    await office.beat();
    await report(office, outcome);
    await office.pass(30);
  }
}

const statusOf = async ({ service, key, monitors }: Office): Promise<string> => {
  const { status } = await service.monitors(key).getMonitorStatus({ id: monitors[0] ?? "" });
  return String(status);
};

const titles = ({ mailbox }: Office): readonly string[] =>
  mailbox.notices("ops").map((notice) => {
    const { title, reason } = say(notice, "UTC");
    return `${title}. ${reason}`.replaceAll("\u00a0", " ");
  });

const ended = (at: number): string =>
  new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", timeZone: "UTC" }).format(at);

test("a certificate near its end is degraded and reported once at each threshold, through a restart, until it is renewed", async () => {
  const office = await alertedOffice();
  await office.channel("ops");
  await reportAt(office, 29.4);
  const well = await statusOf(office);
  expect(titles(office)).toEqual([]);
  await reportAt(office, 27.5);
  expect(await statusOf(office)).not.toBe(well);
  await reportAt(office, 20);
  const on = ended(today + 29.5 * day);
  const first = `Certificate ends: m0. Its certificate ends in 27 days, on ${on}: renew it.`;
  expect(titles(office)).toEqual([first]);
  await reportAt(office, 13.5);
  await office.restart();
  await reportAt(office, 13.4);
  await reportAt(office, 6.5);
  expect(office.mailbox.words("ops")).toEqual([
    "monitor.degraded",
    "monitor.reminder",
    "monitor.reminder",
  ]);
  await reportAt(office, 6, renewed);
  await office.pass(200);
  expect(office.mailbox.words("ops").slice(3)).toEqual(["monitor.recovered"]);
  expect(titles(office).at(-1)).toMatch(/certificate renewed.*the new certificate ends on/i);
  await reportAt(office, 5.9, renewed);
  expect(await statusOf(office)).toBe(well);
  const asked = {
    isOpen: null,
    kind: "certificate",
    subject: null,
    location: null,
    cause: null,
    before: null,
  } as const;
  const { incidents } = await office.store.alerts.incidents.list({ ...asked, limit: 9, offset: 0 });
  expect(incidents.map(({ incident }) => incident.ended?.because)).toEqual(["recovered"]);
});

test("a certificate whose threshold had passed before it was seen ends soon since the first check", async () => {
  const office = await alertedOffice();
  await reportAt(office, 4.5);
  const ids = office.monitors.map(Number);
  const [incident] = await office.store.alerts.incidents.newest("certificate", ids);
  expect(incident?.startedAt).toBe(today + 25 * day);
});

test("the pages say which certificate an incident is about, when it ends, and lead to it from the overview", async () => {
  const office = await alertedOffice();
  await reportAt(office, 4.5);
  const read = await reading(office);
  const on = /ends in 4 days, on \d+ \w+, 12:00:00 UTC \./;
  const page = (await read("/incidents/1")).replaceAll("\u00a0", " ");
  expect(page).toMatch(new RegExp(`Opened: degraded The certificate of \\S+ ${on.source}`));
  expect(page).toMatch(/Certificate CN=\S+ .*Issued by CN=\S.* Ends \d+ \w+, 12:00:00 UTC/);
  expect(await read("/")).toMatch(/renew it \(\s*incident 1\s*\)/);
});

test("the end of a certificate adds nothing to downtime, and opens no incident of the monitor", async () => {
  const office = await alertedOffice();
  await office.channel("ops");
  await reportAt(office, 27.5);
  expect(office.mailbox.words("ops")).toEqual(["monitor.degraded"]);
  const { incidents } = office.store.alerts;
  const asked = {
    isOpen: null,
    subject: null,
    location: null,
    cause: null,
    before: null,
    limit: 9,
    offset: 0,
  };
  const found = await incidents.list({ ...asked, kind: "monitor" });
  expect(found.total).toBe(0);
  const [day] = await office.store.results.buckets({
    monitors: office.monitors.map((id) => monitorId(Number(id))),
    location: null,
    grain: "day",
    from: epochMillis(0),
    to: epochMillis(today + 60 * 86_400_000),
  });
  expect(day).toMatchObject({ success: 6, degraded: 0, error: 0, down: 0 });
});

test("a monitor may have other thresholds, or none", async () => {
  const office = await alertedOffice();
  await office.channel("ops");
  const [id = ""] = office.monitors;
  const change = (certificateDays: string) =>
    office.service
      .monitors(office.key)
      .updateTCPMonitor({ id, monitor: { alerting: { certificateDays } } });
  await change("none");
  await reportAt(office, 10);
  expect(titles(office)).toEqual([]);
  await change("5");
  await reportAt(office, 9);
  expect(titles(office)).toEqual([]);
  await reportAt(office, 4.5);
  expect(office.mailbox.words("ops")).toEqual(["monitor.degraded"]);
  await change("none");
  await reportAt(office, 4.4);
  expect(office.mailbox.words("ops")).toEqual(["monitor.degraded", "monitor.closed"]);
  await expect(change("soon")).rejects.toThrow(/certificate_days must be none, or up to 5 numbers/);
});

test("the incident of a certificate outlasts a pause that is undone at once, and closes with one that lasts", async () => {
  const office = await alertedOffice();
  await office.channel("ops");
  await reportAt(office, 27.5);
  expect(office.mailbox.words("ops")).toEqual(["monitor.degraded"]);
  const { incidents } = office.store.alerts;
  const id = office.monitors[0] ?? "";
  const newest = () => incidents.newest("certificate", [Number(id)]);
  const change = (active: boolean) =>
    office.service.monitors(office.key).updateTCPMonitor({ id, monitor: { active } });
  const before = await newest();
  await change(false);
  await office.pass(12);
  expect((await newest())[0]?.unwatchedSince).not.toBeNull();
  await change(true);
  await office.pass(60);
  expect(await newest()).toEqual(before);
  expect(office.mailbox.words("ops")).toEqual(["monitor.degraded"]);
  await change(false);
  await office.until(async () => (await newest())[0]?.ended?.because === "deactivated");
});
