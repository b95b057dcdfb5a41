import { createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { describe, expect, test } from "vitest";
import { MaintenanceService } from "#contract/openstatus/maintenance/v1/maintenance_pb";
import { DeliveryService, IncidentService } from "#contract/picket/v1/incident_pb";
import { epochMillis } from "#base/units";
import { alertedOffice, again, delivered, type Office, troubled } from "./alerted-office.ts";

function clients(office: Office, key = office.key) {
  const authenticate: Interceptor = (next) => (request) => {
    request.header.set("x-service-key", key);
    return next(request);
  };
  const transport = createConnectTransport({
    baseUrl: office.service.url,
    httpVersion: "1.1",
    interceptors: [authenticate],
  });
  return {
    incidents: createClient(IncidentService, transport),
    deliveries: createClient(DeliveryService, transport),
    maintenances: createClient(MaintenanceService, transport),
  };
}
/** An office whose one monitor is down, and whose channel has heard of it. */
async function notifiedOffice(): Promise<Office> {
  const office = await alertedOffice();
  await office.channel("ops");
  await office.beat();
  await office.report("error");
  await office.until(() => office.mailbox.taken.length > 0);
  return office;
}
const at = (office: Office, minutes: number): string =>
  new Date(office.clock.wall() + minutes * 60_000).toISOString();

describe("an incident by call", () => {
  test("is listed, shown with its story, and acknowledged; a read key only looks", async () => {
    const office = await notifiedOffice();
    const { incidents } = clients(office);
    const list = await incidents.listIncidents({ open: true });
    expect(list).toMatchObject({ totalSize: 1, incidents: [{ number: 1n, name: "m0" }] });
    const { key } = await office.service.admin.createApiKey({ name: "r", scope: "read" });
    const reader = clients(office, key).incidents;
    await expect(reader.acknowledgeIncident({ number: 1n })).rejects.toThrow("read");
    await incidents.acknowledgeIncident({ number: 1n });
    const { incident, events } = await reader.getIncident({ number: 1n });
    expect(incident?.acknowledgedBy).toMatch(/^key /);
    expect(events.map(({ kind }) => kind)).toEqual(["opened", "acknowledged"]);
    await expect(incidents.getIncident({ number: 9n })).rejects.toThrow("no incident 9");
    await expect(incidents.listIncidents({ kind: "x" })).rejects.toThrow("kind must be one of");
  });
  test("is acknowledged by the button behind a message's link, not by opening it", async () => {
    const office = await notifiedOffice();
    const [notice] = office.mailbox.notices("ops");
    const link = notice !== undefined && "incident" in notice ? notice.incident.acknowledgeUrl : "";
    const url = `${office.service.url}${new URL(link ?? "").pathname}`;
    const opened = await fetch(url);
    const page = await opened.text();
    expect(page).toContain('<h1 class="target">Failing: m0</h1>');
    expect(page.replaceAll(/\s+/g, " ")).toContain(
      "Incident 1, since 12 Aug 2026, 12:00:00 UTC, for 6 s<",
    );
    expect(page).toContain(">Acknowledge</button>");
    expect(page).toContain('href="../incidents/1"');
    const newest = async () => (await office.store.alerts.incidents.story(1))?.incident;
    expect((await newest())?.acknowledged).toBeNull();
    const said = async (init = {}): Promise<string> =>
      (await (await fetch(url, init)).text()).replaceAll(/<[^>]*>/g, "").replaceAll(/\s+/g, " ");
    const words =
      /Acknowledged by a link in a message to ops, 12 Aug 2026, 12:00:\d\d UTC: no reminders/;
    expect(await said({ method: "POST" })).toMatch(words);
    const by = "a link in a message to ops";
    expect((await newest())?.acknowledged?.by).toBe(by);
    const asked = { before: null, after: 0, kind: "incident", id: "1", who: "", name: "" } as const;
    const bounds = { since: epochMillis(0), until: null, limit: 9 };
    const [entry, ...more] = await office.store.audit.list({ ...asked, ...bounds });
    const who = { kind: "link", name: by, from: "127.0.0.1" };
    expect([entry, more]).toMatchObject([{ who, deed: "changed" }, []]);
    expect(await said()).toMatch(words);
    expect((await fetch(`${url.slice(0, -1)}${url.endsWith("_") ? "-" : "_"}`)).status).toBe(410);
    expect((await fetch(`${office.service.url}/acknowledge/1.2.3.4`)).status).toBe(410);
  });
  test("is acknowledged by a link of a channel that was deleted since", async () => {
    const office = await notifiedOffice();
    const [notice] = office.mailbox.notices("ops");
    const link = notice !== undefined && "incident" in notice ? notice.incident.acknowledgeUrl : "";
    for (const { id } of await office.store.alerts.channels.heads())
      await office.store.alerts.channels.delete(id);
    await fetch(`${office.service.url}${new URL(link ?? "").pathname}`, { method: "POST" });
    const story = await office.store.alerts.incidents.story(1);
    expect(story?.incident.acknowledged?.by).toBe("a link in a message");
  });
  test("leads from its message to pages that the service has", async () => {
    const office = await notifiedOffice();
    const [notice] = office.mailbox.notices("ops");
    if (notice?.type !== "monitor.error") return expect.fail("another notice");
    const paths = [notice.monitor.url, notice.incident.url].map(
      (url) => new URL(url ?? "").pathname,
    );
    expect(paths).toEqual([expect.stringMatching(/^\/monitors\/\d+$/), "/incidents/1"]);
    // A stranger is asked to sign in; a path that is no page would be a 404.
    for (const page of paths) {
      const opened = await fetch(`${office.service.url}${page}`, {
        headers: { accept: "text/html", "sec-fetch-site": "none" },
        redirect: "manual",
      });
      expect([page, opened.status]).toEqual([page, 303]);
    }
  });
  test("is silenced until a time; then it is said if it lasts", async () => {
    const office = await alertedOffice();
    await office.channel("ops");
    const { incidents } = clients(office);
    const wanted = { monitorIds: [...office.monitors], until: at(office, 2), reason: "known" };
    const { silence } = await incidents.createSilence(wanted);
    expect(silence).toMatchObject({ reason: "known", monitorIds: office.monitors });
    await office.beat();
    await office.report("error");
    await office.pass(60);
    expect(office.mailbox.tries).toBe(0);
    await office.report("error");
    await office.until(() => office.mailbox.taken.length > 0);
    const other = await incidents.createSilence({ ...wanted, until: at(office, 9) });
    expect((await incidents.listSilences({})).silences).toHaveLength(1);
    await incidents.endSilence({ id: other.silence?.id ?? "" });
    await expect(incidents.endSilence({ id: other.silence?.id ?? "" })).rejects.toThrow(
      "no active silence",
    );
    await expect(incidents.createSilence({ ...wanted, until: "soon" })).rejects.toThrow(
      "until must be a time",
    );
    await expect(incidents.createSilence({ until: at(office, 9) })).rejects.toThrow("must name");
    await expect(
      incidents.createSilence({ monitorIds: ["99"], until: at(office, 9) }),
    ).rejects.toThrow("no monitor 99");
  });
});

describe("a delivery by call", () => {
  test("shows why it waits, and is tried at once when a person asks", async () => {
    const office = await alertedOffice();
    await office.channel("ops");
    await office.beat();
    office.mailbox.answer = () => again;
    await office.report("error");
    await office.until(() => office.mailbox.tries >= 2);
    const { deliveries } = clients(office);
    const { deliveries: waiting } = await deliveries.listDeliveries({ state: "waiting" });
    expect(waiting).toMatchObject([{ reason: "retry", message: "it has a fault", name: "m0" }]);
    office.mailbox.answer = () => delivered;
    const id = waiting[0]?.id ?? "";
    await deliveries.retryDelivery({ id });
    await office.until(() => office.mailbox.taken.length > 0, 5);
    await expect(deliveries.retryDelivery({ id })).rejects.toThrow("not sent twice");
    await expect(deliveries.retryDelivery({ id: "99" })).rejects.toThrow("no delivery 99");
    await expect(deliveries.listDeliveries({ state: "x" })).rejects.toThrow("state must be one of");
  });
  test("is not tried again once its channel has taken something newer of the incident", async () => {
    const office = await alertedOffice();
    await office.channel("ops");
    await office.beat();
    office.mailbox.answer = () => troubled("permanent");
    await office.report("error");
    const { deliveries } = clients(office);
    const dropped = async () => (await deliveries.listDeliveries({ state: "dropped" })).deliveries;
    await office.until(async () => (await dropped()).length > 0);
    const [alert] = await dropped();
    expect(alert).toMatchObject({ kind: "opened", reason: "refused" });
    office.mailbox.answer = () => delivered;
    // Up, and then down again in the same incident.
    for (const status of ["success", "success", "error"] as const) {
      await office.pass(30);
      await office.beat();
      await office.report(status);
    }
    await office.until(() => office.mailbox.taken.length > 0);
    const again = deliveries.retryDelivery({ id: alert?.id ?? "" });
    await expect(again).rejects.toThrow("has taken a newer message about this incident");
  });
  // A pager is not called for what is over.
  test.each([
    ["slack", ["monitor.recovered"], []],
    ["pagerduty", [], ["opened over", "closed over"]],
  ] as const)(
    "whose alert was refused is tried again with the end that came meanwhile: %s",
    async (provider, said, left) => {
      const office = await alertedOffice();
      const channel = await office.channel("ops", provider);
      await office.beat();
      office.mailbox.answer = () => troubled("permanent");
      await office.report("error");
      await office.until(() => office.mailbox.tries > 0);
      await office.until(async () => {
        await office.report("success");
        return (await office.store.alerts.incidents.story(1))?.incident.ended !== null;
      });
      const { deliveries } = clients(office);
      const rows = async () => {
        const all = await deliveries.listDeliveries({
          state: "dropped",
          notificationId: `${channel}`,
        });
        return all.deliveries.toReversed();
      };
      const [alert, ...more] = await rows();
      expect([alert, more]).toMatchObject([{ kind: "opened", reason: "refused" }, []]);
      office.mailbox.answer = () => delivered;
      await deliveries.retryDelivery({ id: alert?.id ?? "" });
      await office.pass(60);
      expect(office.mailbox.words("ops")).toEqual(said);
      expect((await rows()).map(({ kind, reason }) => `${kind} ${reason}`)).toEqual(left);
    },
  );
});

describe("a maintenance by call", () => {
  test("is made, changed, listed and deleted; what is wrong is named by its field", async () => {
    const office = await alertedOffice();
    const { maintenances } = clients(office);
    const wanted = {
      title: "update",
      message: "of the router",
      from: at(office, 10),
      to: at(office, 20),
      monitorIds: [...office.monitors],
      recurrence: "FREQ=WEEKLY",
      timeZone: "Europe/Berlin",
    };
    const { maintenance } = await maintenances.createMaintenance(wanted);
    expect(maintenance).toMatchObject({ ...wanted, id: "1", pageId: "" });
    const changed = await maintenances.updateMaintenance({ id: "1", to: at(office, 30) });
    expect(changed.maintenance).toMatchObject({ ...wanted, to: at(office, 30) });
    const once = await maintenances.updateMaintenance({
      id: "1",
      notify: false,
      updateMask: { paths: ["recurrence", "notify"] },
    });
    expect(once.maintenance).toMatchObject({ recurrence: "", monitorIds: [...office.monitors] });
    expect((await office.store.alerts.maintenances.get(1))?.notify).toBe(false);
    const strange = { id: "1", updateMask: { paths: ["monitors"] } };
    await expect(maintenances.updateMaintenance(strange)).rejects.toThrow("update_mask may name");
    const none = { id: "1", updateMask: { paths: ["monitor_ids"] } };
    await expect(maintenances.updateMaintenance(none)).rejects.toThrow("must name a monitor");
    expect(await maintenances.listMaintenances({})).toMatchObject({ totalSize: 1 });
    expect((await maintenances.listMaintenances({ pageId: "4" })).totalSize).toBe(0);
    const refused = (changes: object, message: string): Promise<void> =>
      expect(maintenances.createMaintenance({ ...wanted, ...changes })).rejects.toThrow(message);
    await refused({ title: "" }, "title must be");
    await refused({ to: wanted.from }, "to must be later than it begins");
    await refused({ from: "tomorrow" }, "from must be a time");
    await refused({ recurrence: "FREQ=YEARLY" }, "recurrence needs FREQ=DAILY");
    const many = `FREQ=WEEKLY;BYDAY=${"TU,".repeat(400)}WE`;
    await refused({ recurrence: many }, "recurrence is longer than 1000 characters");
    await refused({ timeZone: "Mars/Base" }, "time_zone must be an IANA name");
    await refused({ monitorIds: [] }, "must name a monitor");
    await refused({ privateLocationIds: ["77"] }, "no private location 77");
    await maintenances.deleteMaintenance({ id: "1" });
    await expect(maintenances.getMaintenance({ id: "1" })).rejects.toThrow("no maintenance 1");
  });
});
