import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { newIncident } from "#service/alerting/incident-machine";
import type { MonitorSnapshot } from "#service/alerting/snapshot";
import { systemClock } from "#base/clock";
import type { DeliveryOutcome } from "#service/notify/delivery-outcome";
import * as limits from "#limits/alerts-limits";
import { channelId } from "#service/store/ids";
import { deletedEnd } from "#service/alerts/deleted-end";
import { after as later, type EpochMillis, minutes, seconds } from "#base/units";
import { snapshot } from "../alerting/waiting.ts";
import { notedIncident } from "../../support/noted-incident.ts";
import { accounts } from "../../support/notices.ts";
import { tried } from "../../support/sending.ts";
import { startPicket } from "../../support/running-picket.ts";
import { openStoreHere } from "../../support/open-store-here.ts";
import { runningService, temporaryFolder } from "../../support/running-service.ts";
import { alertedOffice, delivered } from "./alerted-office.ts";

/** A provider that holds every request until it is let go. */
async function holdingProvider() {
  const ids: string[] = [];
  const held: ServerResponse[] = [];
  let heard = (): void => {};
  const server = createServer((request, response) => {
    ids.push(String(request.headers["webhook-id"]));
    held.push(response);
    request.resume();
    heard();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  const has = async (count: number): Promise<void> => {
    while (ids.length < count)
      await new Promise<void>((resolve) => {
        heard = resolve;
      });
  };
  const letGo = (): void => held.splice(0).forEach((response) => response.end("ok"));
  return { url: `http://127.0.0.1:${port}/hook`, ids, has, letGo };
}

/** A database with so many incidents that wait to be sent to one webhook. */
async function waitingFor(url: string, count: number) {
  const database = path.join(temporaryFolder(), "service.sqlite");
  const made = await (async () => {
    await using service = await runningService({ database, clock: systemClock });
    const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
    const call = "/rpc/openstatus.notification.v1.NotificationService/CreateNotification";
    const channel = {
      provider: "NOTIFICATION_PROVIDER_WEBHOOK",
      data: { webhook: { endpoint: url } },
    };
    const answer = await service.post(call, channel, { "x-service-key": key });
    const { notification }: { notification: { id: string } } = JSON.parse(await answer.text());
    return Number(notification.id);
  })();
  await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const at: EpochMillis = later(systemClock.wall(), minutes(-1));
  const seen: MonitorSnapshot = snapshot("shop");
  for (let id = 1; id <= count; id += 1)
    await store.alerts.incidents.note({
      // Of a channel, whose incidents no judge looks at.
      incident: newIncident({ kind: "channel", id: 100 + id }, "error", at, at),
      name: `m${id}`,
      cause: "",
      at,
      snapshot: seen,
      events: [{ kind: "opened", to: { are: "channels", channels: [made] } }],
    });
  return { database, channel: made };
}

const statesIn = async (database: string, channel: number): Promise<readonly string[]> => {
  await using store = await openStoreHere({ database, use: "command", onProgress: () => {} });
  const asked = { channel, incident: null, state: null, limit: 50, offset: 0 } as const;
  const { deliveries } = await store.alerts.deliveries.list(asked);
  return deliveries.map(({ state, attempts }) => `${state} ${attempts}`).toSorted();
};

test("a service that gets SIGTERM lets the messages end that its provider has, begins none, and sends none again", async () => {
  const provider = await holdingProvider();
  const more = 2;
  const { database, channel } = await waitingFor(provider.url, limits.lettersAtOnce + more);
  const serve = () => startPicket(["service", "--database", database, "--listen", "127.0.0.1:0"]);
  const first = serve();
  await provider.has(limits.lettersAtOnce);
  first.child.kill("SIGTERM");
  const ended = once(first.child, "exit");
  await first.said(/Stopping/);
  provider.letGo();
  expect(await ended).toEqual([0, null]);
  expect(provider.ids).toHaveLength(limits.lettersAtOnce);
  const sent = Array.from({ length: limits.lettersAtOnce }, () => "sent 1");
  expect(await statesIn(database, channel)).toEqual([...sent, "waiting 0", "waiting 0"]);
  const second = serve();
  await provider.has(limits.lettersAtOnce + more);
  provider.letGo();
  expect(await second.stop()).toBe(0);
  expect(new Set(provider.ids).size).toBe(limits.lettersAtOnce + more);
  expect(provider.ids).toHaveLength(limits.lettersAtOnce + more);
});

/** A pager that takes the first event and hangs up, refuses the second, and answers the rest. */
async function hangingUp() {
  const events: { readonly event_action: string; readonly dedup_key: string }[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      events.push(JSON.parse(await text(request)));
      if (events.length === 1) request.socket.destroy();
      else response.writeHead(events.length === 2 ? 400 : 202).end("{}");
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  return { url: `http://127.0.0.1:${port}`, events };
}

test("a pager that took an alert and hung up, and then refuses it, gets its end", async () => {
  const pager = await hangingUp();
  const options = { accounts: { ...accounts, pagerdutyUrl: pager.url } };
  const office = await alertedOffice();
  await office.channel("ops", "pagerduty");
  await office.beat();
  const attempts: Promise<DeliveryOutcome>[] = [];
  office.mailbox.answer = (channel, notice) => {
    const attempt = tried(channel, { notice, options });
    attempts.push(attempt);
    return attempt;
  };
  /** The wait for its answer takes real time. */
  const answered = async (count: number): Promise<void> => {
    await office.until(() => attempts.length === count);
    await attempts.at(-1);
  };
  await office.report("error");
  await answered(1);
  await answered(2);
  const asked = { channel: null, incident: 1, state: "dropped", limit: 9, offset: 0 } as const;
  await office.until(async () => (await office.store.alerts.deliveries.list(asked)).total === 1);
  await office.until(async () => {
    await office.report("success");
    return (await office.store.alerts.incidents.story(1))?.incident.ended !== null;
  });
  await answered(3);
  expect(pager.events.map((event) => event.event_action)).toEqual([
    "trigger",
    "trigger",
    "resolve",
  ]);
  expect(new Set(pager.events.map((event) => event.dedup_key)).size).toBe(1);
});

test("the end of an alert that a pager may have taken is tried for a day, however old the alert is", async () => {
  const office = await alertedOffice();
  const channel = await office.channel("ops", "pagerduty");
  const { incidents } = office.store.alerts;
  const subject = { kind: "channel", id: 100 } as const;
  const at = office.clock.wall();
  const to = { are: "channels", channels: [channel] } as const;
  const trouble = { code: "unreachable", message: "it hung up", status: null } as const;
  office.mailbox.answer = () => ({ is: "again", after: null, trouble });
  const seen = snapshot("shop");
  const events = [{ kind: "opened", to }] as const;
  await incidents.note({ ...notedIncident(subject, at), snapshot: seen, events });
  await office.until(() => office.mailbox.tries === 1);
  await office.stop();
  await office.clock.advance(limits.deliveryTriedFor - seconds(10));
  const [incident] = await incidents.newest("channel", [subject.id]);
  if (incident === undefined) return expect.fail("it is open");
  await incidents.note(deletedEnd({ incident, name: "shop" }, seen, office.clock.wall()));
  await office.restart();
  await office.until(() => office.mailbox.tries === 2);
  // By then the alert is older than a day.
  await office.until(() => office.mailbox.tries === 3);
  office.mailbox.answer = () => delivered;
  await office.until(() => office.mailbox.taken.length === 1, 600);
  expect(office.mailbox.words("ops")).toEqual(["monitor.closed"]);
});

describe("a provider that hangs on one message", () => {
  /** Hangs on what is about the first monitor until it is let go. */
  async function hangingOffice(count: number, provider: "webhook" | "pagerduty") {
    const office = await alertedOffice(count);
    const channel = await office.channel("ops", provider);
    const released = Promise.withResolvers<void>();
    office.mailbox.answer = async (_, notice) => {
      if ("monitor" in notice && notice.monitor.name === "m0") await released.promise;
      return delivered;
    };
    await office.beat();
    const [first = ""] = office.monitors;
    await office.report("error", [first]);
    await office.until(() => office.mailbox.tries === 1);
    return { office, channel, first, release: () => released.resolve() };
  }

  test("delays no other incident of its channel, and each incident stays in order", async () => {
    const { office, first, release } = await hangingOffice(3, "webhook");
    const [, second = "", third = ""] = office.monitors;
    await office.report("error", [second]);
    await office.report("success", [first, third]);
    await office.until(() => office.mailbox.taken.length === 1, 10);
    await office.pass(20);
    // The first is up again, and the third down: of the first nothing more is begun.
    await office.report("success", [first]);
    await office.report("error", [second, third]);
    await office.until(() => office.mailbox.taken.length === 2, 10);
    expect(office.mailbox.tries).toBe(3);
    release();
    await office.until(() => office.mailbox.taken.length === 4, 10);
    const said = office.mailbox
      .notices("ops")
      .map((notice) =>
        "monitor" in notice ? `${notice.monitor.name} ${notice.type.slice(8)}` : notice.type,
      );
    expect(said).toEqual(["m1 error", "m2 error", "m0 error", "m0 recovered"]);
  });

  test("lets a pager have a short outage of another monitor, its end included", async () => {
    const { office, release } = await hangingOffice(2, "pagerduty");
    const [, second = ""] = office.monitors;
    await office.report("error", [second]);
    await office.pass(30);
    for (const _ of [1, 2]) {
      await office.report("success", [second]);
      await office.pass(30);
    }
    expect(office.mailbox.words("ops")).toEqual(["monitor.error", "monitor.recovered"]);
    release();
    await office.until(() => office.mailbox.taken.length === 3, 10);
  });

  test("has its answer recorded if the channel is deleted meanwhile, and only what was not begun is dropped", async () => {
    const { office, channel, first, release } = await hangingOffice(1, "webhook");
    const rows = async (): Promise<readonly string[]> => {
      const asked = { channel: null, incident: null, state: null, limit: 9, offset: 0 };
      const { deliveries } = await office.store.alerts.deliveries.list(asked);
      return deliveries.map(({ kind, state, reason }) => `${kind} ${state} ${reason}`).toReversed();
    };
    await office.until(async () => {
      await office.report("success", [first]);
      return (await rows()).length === 2;
    });
    await office.store.alerts.channels.delete(channelId(channel));
    await office.pass(10);
    release();
    await office.until(() => office.mailbox.taken.length === 1, 10);
    await office.pass(10);
    expect(await rows()).toEqual(["opened sent ", "closed dropped channel_gone"]);
  });

  test("has no more than a few requests at one time", async () => {
    const office = await alertedOffice(12);
    await office.channel("ops", "webhook");
    const released = Promise.withResolvers<void>();
    office.mailbox.answer = async () => {
      await released.promise;
      return delivered;
    };
    await office.beat();
    await office.report("error");
    await office.pass(20);
    expect(office.mailbox.tries).toBe(limits.lettersAtOnce);
    released.resolve();
    await office.until(() => office.mailbox.taken.length === 12, 10);
    expect(office.mailbox.tries).toBe(12);
  });
});
