import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { dropReasons } from "#service/alerting/queue";
import type { Logger } from "#base/log";
import { HttpPost } from "#service/notify/http-post";
import { providers } from "#service/notify/channel";
import { sendHeartbeats } from "#service/outgoing-heartbeat";
import { startProvider } from "../../servers/providers.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { again, alertedOffice, delivered } from "./alerted-office.ts";

const taking = async () => {
  const watcher = await startProvider((_asked, response) => response.end("OK"));
  onTestFinished(() => watcher[Symbol.asyncDispose]());
  return watcher;
};

test("/metrics counts what became of notifications and says how long the oldest waits, for whoever has a key", async () => {
  const office = await alertedOffice();
  await office.channel("ops");
  await office.beat();
  await office.report("success");
  office.mailbox.answer = () => again;
  const metrics = async (headers: Record<string, string>) =>
    fetch(`${office.service.url}/metrics`, { headers });
  expect((await metrics({})).status).toBe(401);
  const first = await metrics({ authorization: `Bearer ${office.key}` });
  expect(first.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await first.text()).split("\n");
  const series = lines.filter((line) => line.startsWith("picket_notifications_total{"));
  expect(series).toHaveLength((providers.length + 1) * (3 + Object.keys(dropReasons).length));
  expect(series.every((line) => line.endsWith(" 0"))).toBe(true);
  expect(lines).toContain("picket_notifications_oldest_age_seconds 0");
  for (const name of ["picket_news_waiting", "picket_news_oldest_age_seconds"])
    expect(lines).toContain(`${name} 0`);
  await office.pass(30);
  await office.report("error");
  await office.until(() => office.mailbox.tries > 1);
  const waiting = await (await metrics({ "x-service-key": office.key })).text();
  expect(waiting).toMatch(/_total\{provider="slack",outcome="retried"\} [2-9]/);
  expect(waiting).toMatch(/oldest_age_seconds [1-9]/);
  office.mailbox.answer = () => delivered;
  await office.until(() => office.mailbox.taken.length > 0);
  const after = await (await metrics({ "x-service-key": office.key })).text();
  expect(after).toContain('picket_notifications_total{provider="slack",outcome="sent"} 1\n');
  expect(after).toContain("picket_notifications_oldest_age_seconds 0\n");
  const refused = await office.service.post("/metrics", {}, { "x-service-key": office.key });
  expect(refused.status).toBe(405);
});

test("a heartbeat goes out every minute, not while the outbox cannot be looked at, and again after that", async () => {
  const watcher = await taking();
  const office = await alertedOffice(1, { heartbeatUrl: `${watcher.url}/ping/4f2a?token=secret` });
  await office.until(() => watcher.asked.length === 1);
  expect(watcher.asked[0]).toMatchObject({ method: "GET", path: "/ping/4f2a?token=secret" });
  await office.pass(120);
  expect(watcher.asked).toHaveLength(3);
  using file = new DatabaseSync(office.service.database);
  file.exec("ALTER TABLE deliveries RENAME TO away");
  await office.pass(180);
  const stood = watcher.asked.length;
  expect(stood).toBeLessThanOrEqual(4);
  file.exec("ALTER TABLE away RENAME TO deliveries");
  await office.until(() => watcher.asked.length > stood);
});

test("a heartbeat that does not arrive is logged once, without the URL's path and query", async () => {
  const clock = new FakeClock();
  const said: string[] = [];
  const note = (message: string): void => void said.push(message);
  const log: Logger = { debug: note, info: note, warn: note, error: note };
  let status = 500;
  const watcher = await startProvider((_asked, response) => response.writeHead(status).end());
  onTestFinished(() => watcher[Symbol.asyncDispose]());
  const way = { proxying: { proxy: null, exceptions: [] }, secureContext: undefined };
  const post = new HttpPost({ ...way, clock, userAgent: "Picket/test", httpAllowed: false });
  let rounds = 0;
  const http: Pick<HttpPost, "exchange"> = {
    exchange: (...asked) => post.exchange(...asked).finally(() => (rounds += 1)),
  };
  const stopping = new AbortController();
  const url = `${watcher.url}/ping/4f2a?token=secret`;
  let trouble: string | null = null;
  const standstill = async () => {
    if (trouble !== null) rounds += 1;
    return trouble;
  };
  const loop = sendHeartbeats({ url, http, standstill, clock, log }, stopping.signal);
  const beats = async (count: number) => {
    for (let beat = 0; beat < count; beat += 1) {
      const before = rounds;
      // A longer step would also end the time that the request has.
      await clock.advance(rounds === 0 ? 10_000 : 60_000);
      await expect.poll(() => rounds).toBe(before + 1);
    }
  };
  await beats(3);
  expect(said).toEqual([
    "the outgoing heartbeat is not sent: PICKET_SERVICE_HEARTBEAT_URL reports an internal error (500)",
  ]);
  status = 200;
  await beats(1);
  trouble = "the monitors are not judged";
  await beats(2);
  expect(said.slice(1)).toEqual([
    "the outgoing heartbeat is sent again",
    "the outgoing heartbeat is not sent: the monitors are not judged",
  ]);
  expect(watcher.asked).toHaveLength(4);
  stopping.abort();
  await loop;
  expect(said.join()).not.toContain("secret");
});
