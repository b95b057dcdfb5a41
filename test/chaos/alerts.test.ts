import { expect, test } from "vitest";
import type { ResultStatus } from "#check/verdict";
import type { Notice } from "#service/notify/event";
import type { DeliveryRow } from "#service/store/alert-store";
import { again, alertedOffice, delivered, type Office } from "../service/alerts/alerted-office.ts";

/** Minutes of the fake clock in which everything goes wrong; CHAOS=long is half an hour of it. */
const minutesOfFaults = process.env["CHAOS"] === "long" ? 30 : 5;

/** The same faults at each run. */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Every delivery that there is. */
async function ledger({ store }: Office): Promise<readonly DeliveryRow[]> {
  const rows: DeliveryRow[] = [];
  for (;;) {
    const asked = { channel: null, incident: null, state: null, limit: 1_000, offset: rows.length };
    const { deliveries, total } = await store.alerts.deliveries.list(asked);
    rows.push(...deliveries);
    if (rows.length >= total || deliveries.length === 0) return rows;
  }
}

/** What was said of each incident alone, in order. */
function saidOf(notices: readonly Notice[]): readonly (readonly Notice["type"][])[] {
  const own = notices.filter((notice) => "monitor" in notice && "incident" in notice);
  const groups = Map.groupBy(own, (notice) => ("incident" in notice ? notice.incident.id : ""));
  return [...groups.values()].map((some) => some.map(({ type }) => type));
}

const ups: ReadonlySet<string> = new Set(["monitor.recovered", "monitor.closed"]);

test(
  "through providers that fail, restarts, a clock that is set and monitors that flap, each event is sent once or counted",
  { timeout: minutesOfFaults * 60_000 },
  async () => {
    const chance = chanceOf(7);
    const office = await alertedOffice(8);
    const names = ["ops", "pager", "hook"] as const;
    await office.channel("ops");
    await office.channel("pager", "pagerduty");
    await office.channel("hook", "webhook");
    await office.beat();
    const away = new Set<string>();
    office.mailbox.answer = ({ name }) => (away.has(name) ? again : delivered);
    const statuses = new Map<string, ResultStatus>(office.monitors.map((id) => [id, "success"]));
    let restarts = 0;
    for (let passed = 0; passed < minutesOfFaults * 60; passed += 15) {
      for (const id of office.monitors) {
        if (chance() < 0.15) statuses.set(id, statuses.get(id) === "error" ? "success" : "error");
        await office.report(statuses.get(id) ?? "success", [id]);
      }
      for (const name of names) {
        if (chance() < 0.2) away.add(name);
        else if (chance() < 0.5) away.delete(name);
      }
      if (chance() < 0.2) {
        restarts += 1;
        await office.restart();
        await office.beat();
      }
      if (chance() < 0.1) office.clock.stepWall((chance() - 0.5) * 7_200_000);
      await office.pass(15);
    }
    expect(restarts).toBeGreaterThan(0);
    away.clear();
    for (let round = 0; round < 12; round += 1) {
      await office.report("success");
      await office.pass(30);
    }
    await expectTrue(office, names);
  },
);

async function expectTrue(office: Office, names: readonly string[]): Promise<void> {
  const rows = await ledger(office);
  expect(rows.length).toBeGreaterThan(10);
  // What was taken was taken once: a message has the id of the first delivery that it covers.
  const ids = office.mailbox.taken.map(({ channel, delivery }) => `${channel.name} ${delivery.id}`);
  expect(ids.length).toBe(new Set(ids).size);
  const open = rows.filter(({ state }) => state !== "sent" && state !== "dropped");
  expect(open.map(({ reason, kind }) => `${kind} ${reason}`)).toEqual([]);
  const uncounted = rows.filter(({ state, reason }) => state === "dropped" && reason === "");
  expect(uncounted).toEqual([]);
  for (const name of names)
    for (const said of saidOf(office.mailbox.notices(name)))
      said.forEach((type, index) => {
        const before = said[index - 1];
        if (!ups.has(type)) return;
        // A chat may hear of both in one late message; a pager and a webhook hear of no end without its beginning.
        if (before === undefined) expect(name).toBe("ops");
        else expect(ups.has(before)).toBe(false);
      });
}
