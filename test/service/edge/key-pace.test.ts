import { expect, test } from "vitest";
import * as limits from "#limits/service-limits";
import { Refusal } from "#service/edge/call-refusal";
import { KeyPace } from "#service/edge/key-pace";
import { FakeClock } from "../../support/fake-clock.ts";
import { runningService, type RunningService } from "../../support/running-service.ts";

/** How often a key may call: tools repeat no refused call, so calls wait for their turn. */

const never = new AbortController().signal;

/** What became of calls that were begun, in the order in which they ended. */
class Calls {
  readonly #pace: KeyPace;
  readonly ended: string[] = [];

  constructor(pace: KeyPace) {
    this.#pace = pace;
  }

  begin(key: string, count: number, signal: AbortSignal = never): void {
    for (let n = 1; n <= count; n += 1)
      void this.#pace.turn(key, signal).then(
        () => this.ended.push(key),
        (error: unknown) => this.ended.push(error instanceof Refusal ? error.code : String(error)),
      );
  }
}

test("a key makes 500 calls at once and 20 more a second; calls wait for up to 8 s, and one beyond that is refused", async () => {
  const clock = new FakeClock();
  const calls = new Calls(new KeyPace(clock));
  calls.begin("a", 500 + 160);
  await clock.advance(0);
  expect(calls.ended).toHaveLength(500);
  calls.begin("a", 1);
  await clock.advance(0);
  expect(calls.ended.splice(500)).toEqual(["resource_exhausted"]);
  await clock.advance(1_000);
  expect(calls.ended).toHaveLength(520);
  await clock.advance(7_000);
  expect(calls.ended).toEqual(Array.from({ length: 660 }, () => "a"));
  await clock.advance(25_000);
  calls.begin("a", 501);
  await clock.advance(0);
  expect(calls.ended).toHaveLength(1_160);
});

test("calls of one key go on in the order in which they came", async () => {
  const clock = new FakeClock();
  const pace = new KeyPace(clock, 1);
  const order: number[] = [];
  for (let n = 0; n < 33; n += 1) void pace.turn("a", never).then(() => order.push(n));
  await clock.advance(8_000);
  expect(order).toEqual(Array.from({ length: 33 }, (_, n) => n));
});

test("calls whose clients hang up give their turns to the next, and leave their room in the line", async () => {
  const clock = new FakeClock();
  const calls = new Calls(new KeyPace(clock, 1));
  const hungUp = new AbortController();
  calls.begin("a", 25);
  calls.begin("a", 7, hungUp.signal);
  calls.begin("a", 1);
  hungUp.abort();
  await clock.advance(1_000);
  const gone = Array.from({ length: 7 }, () => "unavailable");
  expect(calls.ended.slice(25)).toEqual([...gone, "a"]);
  calls.begin("a", 8);
  calls.begin("a", 1);
  await clock.advance(0);
  expect(calls.ended.slice(33)).toEqual(["resource_exhausted"]);
  calls.begin("b", 1, hungUp.signal);
  await clock.advance(8_000);
  expect(calls.ended.slice(34)).toEqual(["b", ...Array.from({ length: 8 }, () => "a")]);
});

test("the calls of all keys that wait are bounded, so that connections stay free for agents", async () => {
  const clock = new FakeClock();
  const calls = new Calls(new KeyPace(clock, 200));
  const waiting = limits.keyCallsWaitingMax;
  calls.begin("a", 5_000 + waiting);
  calls.begin("b", 5_000 + 1);
  await clock.advance(0);
  expect(calls.ended.slice(10_000)).toEqual(["resource_exhausted"]);
});

const list = (service: RunningService, key: string, signal: AbortSignal = never) =>
  fetch(`${service.url}/rpc/openstatus.monitor.v1.MonitorService/ListMonitors`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-service-key": key },
    body: "{}",
    signal,
  });

async function scene() {
  const clock = new FakeClock();
  const service = await runningService({ clock, callsPerSecond: 1 });
  const keyOf = async (name: string) => service.admin.createApiKey({ name, scope: "write" });
  const [busy, other] = [await keyOf("busy"), await keyOf("other")];
  const atOnce = await Promise.all(Array.from({ length: 25 }, () => list(service, busy.key)));
  expect(atOnce.map(({ status }) => status)).toEqual(Array.from({ length: 25 }, () => 200));
  return { clock, service, busy, other: other.key };
}

test("a call that waits for its turn delays neither another key's calls nor an agent's, and is answered when it comes", async () => {
  const { clock, service, busy, other } = await scene();
  await using _ = service;
  const waits = list(service, busy.key);
  expect((await list(service, other)).status).toBe(200);
  const office = { name: "office", monitorIds: [], metadata: {} };
  const { token } = await service.admin.createPrivateLocation(office);
  expect((await service.agent(token).monitors({})).region).toBe("office");
  await clock.advance(1_000);
  expect((await waits).status).toBe(200);
});

test("past those that wait, a call is refused with 429, its reason and Retry-After", async () => {
  const { clock, service, busy } = await scene();
  await using _ = service;
  const many = Array.from({ length: 9 }, () => list(service, busy.key));
  const refused = await Promise.race(many);
  const facts = ["retry-after", "error-domain", "error-reason", "error-limit"];
  expect([refused.status, ...facts.map((name) => refused.headers.get(name))]).toEqual([
    429,
    "1",
    "picket",
    "RATE_LIMIT_EXCEEDED",
    "1",
  ]);
  expect(await refused.json()).toMatchObject({
    code: "resource_exhausted",
    message:
      "the API key calls more often than 1 times a second, and its calls wait for 8 s already: wait a second and continue",
    details: [{ type: "google.rpc.ErrorInfo" }, { type: "google.rpc.RetryInfo" }],
  });
  await clock.advance(8_000);
  const statuses = (await Promise.all(many)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(8);
});

test("a client that hangs up while it waits leaves its turn to the next", async () => {
  const { clock, service, busy, other } = await scene();
  await using _ = service;
  const hungUp = new AbortController();
  const gone = Array.from({ length: 8 }, () => list(service, busy.key, hungUp.signal));
  const refused = list(service, busy.key);
  expect((await Promise.race([refused, ...gone])).status).toBe(429);
  hungUp.abort();
  for (const one of gone) await one.catch(() => {});
  // The service has read the ends of those connections when it has answered this call.
  expect((await list(service, other)).status).toBe(200);
  await clock.advance(1_000);
  expect((await list(service, busy.key)).status).toBe(200);
});

test("a call whose key is revoked while it waits is refused", async () => {
  const { clock, service, busy, other } = await scene();
  await using _ = service;
  const waits = list(service, busy.key);
  const revoke = "/rpc/picket.v1.ApiKeyService/RevokeApiKey";
  await service.post(revoke, { id: busy.id }, { "x-service-key": other });
  await clock.advance(1_000);
  expect((await waits).status).toBe(401);
});
