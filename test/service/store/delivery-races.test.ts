import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newIncident } from "#service/alerting/incident-machine";
import type { UnnumberedIncident } from "#service/alerting/incident-step";
import type { IncidentChange } from "#service/store/alert-store";
import { hours, minutes } from "#base/units";
import { lockWaits } from "../../support/lock-waits.ts";
import {
  isPostgresInstalled,
  type PostgresServer,
  startPostgres,
} from "../../support/postgres-server.ts";
import { channelSnapshot } from "./conformance/alerts.ts";
import { noon, openQuietly, slotAfter, someMonitor } from "./conformance/scene.ts";

const lease = "judge/1";
const channel = 7;

describe.skipIf(!isPostgresInstalled())("a dropped alert that is tried again", () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test("while another replica writes the end of its incident has that end with it", async () => {
    const database = server.fresh();
    await using one = await openQuietly(database);
    await using other = await openQuietly(database);
    const { incidents, deliveries } = one.alerts;
    await one.state.leases.hold("a", [lease], hours(1));
    const keep = (...changes: readonly Pick<IncidentChange, "incident" | "events">[]) => {
      const said = { name: "shop", cause: "", at: noon, snapshot: channelSnapshot };
      const all = changes.map((change) => ({ ...said, ...change }));
      return incidents.keep(lease, "a", { states: [], incidents: all });
    };
    const opened: UnnumberedIncident[] = [];
    for (let n = 0; n < 2; n += 1) {
      const id = await one.state.monitors.create(someMonitor());
      opened.push(newIncident({ kind: "monitor", id }, "error", noon, noon));
    }
    const to = { are: "channels", channels: [channel] } as const;
    await keep(
      ...opened.map((incident) => ({ incident, events: [{ kind: "opened", to }] as const })),
    );
    const waiting = async () => {
      const claim = await deliveries.claim("a", channel, minutes(5));
      return claim?.queues.flatMap((queue) => queue.waiting) ?? [];
    };
    const subjects = opened.map(({ subject }) => subject.id);
    // A transaction that was tried again leaves a gap between their numbers.
    const open = (await incidents.newest("monitor", subjects)).toSorted(
      (a, b) => a.number - b.number,
    );
    const [alert] = await waiting();
    const dropped = (await waiting()).map(({ id }) => ({ id, reason: "refused" }) as const);
    const nothing = { now: noon, lane: null, recent: null, attempted: [], held: [] };
    await deliveries.settle("a", { ...nothing, channel, dropped });

    const client = new Client(database);
    await client.connect();
    // The judge has written the first end, and waits for the second incident before it commits.
    await client.query("BEGIN");
    await client.query("SELECT number FROM incidents WHERE number = $1 FOR UPDATE", [
      open[1]?.number,
    ]);
    const ended = { at: slotAfter(1), because: "recovered" } as const;
    const events = [{ kind: "closed", to: { are: "notified", except: [] } }] as const;
    const ends = keep(...open.map((incident) => ({ incident: { ...incident, ended }, events })));
    await lockWaits(client, 1);
    const again = other.alerts.deliveries.retry(alert?.id ?? 0, noon);
    await Promise.race([again, lockWaits(client, 2)]);
    await client.query("COMMIT");
    await client.end();
    await ends;
    expect(await again).toBe("due");
    expect((await waiting()).map(({ kind }) => kind)).toEqual(["opened", "closed"]);
  });
});
