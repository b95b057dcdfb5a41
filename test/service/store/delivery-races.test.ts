import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newIncident } from "#service/alerting/incident-machine";
import type { IncidentChange } from "#service/store/alert-store";
import { hours, minutes } from "#base/units";
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
    await one.state.leases.hold("a", [lease], hours(1));
    const id = await one.state.monitors.create(someMonitor());
    const subject = { kind: "monitor", id } as const;
    const keep = (change: Pick<IncidentChange, "incident" | "events">): Promise<unknown> => {
      const said = { name: "shop", cause: "", at: noon, snapshot: channelSnapshot };
      return one.alerts.incidents.keep(lease, "a", {
        states: [],
        incidents: [{ ...said, ...change }],
      });
    };
    const incident = newIncident(subject, "error", noon, noon);
    const to = { are: "channels", channels: [channel] } as const;
    await keep({ incident, events: [{ kind: "opened", to }] });
    const waiting = async (): Promise<readonly string[]> => {
      const claim = await one.alerts.deliveries.claim("a", channel, minutes(5));
      return claim?.queues.flatMap((queue) => queue.waiting.map(({ kind }) => kind)) ?? [];
    };
    expect(await waiting()).toEqual(["opened"]);
    const asked = { channel, incident: null, state: null, limit: 1, offset: 0 };
    const [alert] = (await one.alerts.deliveries.list(asked)).deliveries;
    const dropped = [{ id: alert?.id ?? 0, reason: "refused" }] as const;
    const nothing = { now: noon, lane: null, recent: null, attempted: [], held: [] };
    await one.alerts.deliveries.settle("a", { ...nothing, channel, dropped });

    const client = new Client(database);
    await client.connect();
    const blocked = async (count: number): Promise<void> => {
      const select = `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
      for (let found = 0; found < count;) found = (await client.query(select)).rows.length;
    };
    await client.query("BEGIN");
    await client.query("LOCK TABLE incident_events IN EXCLUSIVE MODE");
    const ended = { at: slotAfter(1), because: "recovered" } as const;
    const number = alert?.incident ?? 0;
    const notified = { are: "notified", except: [] } as const;
    const end = keep({
      incident: { ...incident, number, ended },
      events: [{ kind: "closed", to: notified }],
    });
    await blocked(1);
    const again = other.alerts.deliveries.retry(alert?.id ?? 0, noon);
    await Promise.race([again, blocked(2)]);
    await client.query("COMMIT");
    await client.end();
    await end;
    expect(await again).toBe("due");
    expect(await waiting()).toEqual(["opened", "closed"]);
  });
});
