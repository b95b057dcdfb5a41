import { describe, expect, onTestFinished, test, vi } from "vitest";
import { Pipeline } from "#metrics/pipeline";
import type { PipelineTools } from "#metrics/pipeline";
import type { Collector } from "#metrics/otlp-protocol";
import { kibibytes, millis } from "#base/units";
import { Authority } from "../support/authority.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { pipelineTools, reach } from "../support/metering.ts";
import { memoryLog } from "../support/twins.ts";
import {
  attributesIn,
  metricsIn,
  pointsOf,
  type ScriptedCollector,
  startCollector,
} from "../servers/collector.ts";
import { closedPort, onRequestHead, tcpPeer, tlsPeer } from "../servers/scripted.ts";

const at = (port: number, more: Partial<Collector> = {}): Collector => ({
  url: `http://127.0.0.1:${port}/v1/metrics`,
  headers: [{ key: "Authorization", value: "Bearer hunter2" }],
  protocol: "http/json",
  gzip: true,
  ...more,
});

function scene(collector: Collector, more: Partial<PipelineTools> = {}) {
  const clock = new FakeClock();
  const log = memoryLog();
  const pipeline = new Pipeline(collector, pipelineTools({ clock, log, ...more }));
  const checks = (): void =>
    pipeline.store.scope("m", { "picket.monitor.id": "m" }).add("picket.check.attempts", 1);
  return { clock, log, pipeline, checks, said: () => log.said.map(({ message }) => message) };
}

/** The first export comes after three quarters of the interval, by the chance that tests have. */
const first = 45_000;

/** Moves the clock until an export that real sockets carry is through: its end is what is waited for. */
async function counted(pipeline: Pipeline, clock: FakeClock, total: number): Promise<void> {
  await expect
    .poll(async () => {
      await clock.advance(0);
      return pipeline.counts.success + pipeline.counts.failure;
    })
    .toBe(total);
}

const attempts = (collector: ScriptedCollector, index: number): unknown =>
  pointsOf(
    metricsIn(collector.exports[index]!).find(({ name }) => name === "picket.check.attempts"),
  ).map(({ asInt }) => asInt);

describe("a pipeline", () => {
  test("sends none of the environment's headers, and goes to no address of it", async () => {
    await using collector = await startCollector();
    const named = {
      OTEL_EXPORTER_OTLP_HEADERS: "x-planted=one",
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: "x-planted=two",
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://127.0.0.1:1/elsewhere",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    };
    for (const [name, value] of Object.entries(named)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { clock, pipeline, checks } = scene(at(collector.port, { gzip: false }));
    checks();
    await clock.advance(first);
    await collector.had(1);
    await counted(pipeline, clock, 1);
    const { url, headers } = collector.exports[0]!;
    expect([url, headers["x-planted"], headers["content-encoding"]]).toEqual([
      "/v1/metrics",
      undefined,
      undefined,
    ]);
    await pipeline.close(millis(0));
  });

  test("posts what it has every interval: gzip, its headers, its path, cumulative with one start", async () => {
    await using collector = await startCollector();
    const { clock, pipeline, checks } = scene(at(collector.port));
    checks();
    await clock.advance(first);
    await collector.had(1);
    await counted(pipeline, clock, 1);
    checks();
    await clock.advance(60_000);
    await collector.had(2);
    expect(collector.exports[0]).toMatchObject({
      url: "/v1/metrics",
      headers: {
        authorization: "Bearer hunter2",
        "content-encoding": "gzip",
        "content-type": "application/json",
        "user-agent": "picket/test",
      },
    });
    expect([attempts(collector, 0), attempts(collector, 1)]).toEqual([[1], [2]]);
    const [one, two] = collector.exports.map((one) => pointsOf(metricsIn(one)[0])[0]);
    expect(one?.startTimeUnixNano).toBe(two?.startTimeUnixNano);
    expect(attributesIn(one!)).toEqual({ "picket.monitor.id": "m" });
    await counted(pipeline, clock, 2);
    await pipeline.close(millis(1_000));
  });
  test("posts protobuf", async () => {
    await using collector = await startCollector();
    const { pipeline, checks } = scene(at(collector.port, { protocol: "http/protobuf" }));
    checks();
    await pipeline.close(millis(1_000));
    expect(collector.exports[0]?.headers["content-type"]).toBe("application/x-protobuf");
    expect(collector.exports[0]?.body.toString("latin1")).toContain("picket.check.attempts");
  });
  test("sends deltas that lose nothing when an export fails, each from where the last one ended", async () => {
    await using collector = await startCollector();
    const { clock, pipeline, checks } = scene(at(collector.port), { temporality: "delta" });
    checks();
    await clock.advance(first);
    await counted(pipeline, clock, 1);
    collector.answer = (response) => void response.writeHead(400).end();
    checks();
    await clock.advance(60_000);
    await counted(pipeline, clock, 2);
    collector.answer = (response) => void response.end();
    checks();
    await clock.advance(60_000);
    await counted(pipeline, clock, 3);
    expect([0, 1, 2].map((index) => attempts(collector, index))).toEqual([[1], [1], [2]]);
    const [one, , three] = collector.exports.map((one) => pointsOf(metricsIn(one)[0])[0]);
    expect(three?.startTimeUnixNano).toBe(one?.timeUnixNano);
    await pipeline.close(millis(1_000));
    expect(collector.exports).toHaveLength(3);
  });
  test("splits what is more than a collector takes at once", async () => {
    await using collector = await startCollector();
    const { pipeline } = scene(at(collector.port));
    for (let id = 0; id < 2_500; id += 1)
      pipeline.store
        .scope(`m${id}`, { "picket.monitor.id": `m${id}` })
        .add("picket.check.attempts", 1);
    await pipeline.close(millis(5_000));
    const sizes = collector.exports.map((one) => pointsOf(metricsIn(one)[0]).length);
    expect(sizes).toEqual([1_000, 1_000, 500]);
  });
});

describe("a collector that fails", () => {
  test("is tried again after the Retry-After that it names with 429", async () => {
    await using collector = await startCollector();
    const { clock, pipeline, checks } = scene(at(collector.port));
    collector.answer = (response, count) =>
      void (count === 1 ? response.writeHead(429, { "retry-after": "7" }) : response).end();
    checks();
    await clock.advance(first);
    await collector.had(1);
    await expect.poll(async () => (await clock.advance(0), clock.sleeping)).toBe(1);
    await clock.advance(6_900);
    expect(collector.exports).toHaveLength(1);
    await clock.advance(200);
    await collector.had(2);
    await counted(pipeline, clock, 1);
    expect(pipeline.counts).toEqual({ success: 1, failure: 0 });
    await pipeline.close(millis(1_000));
  });
  test("with 503 is tried five times, said once, and said to be back once", async () => {
    await using collector = await startCollector();
    const { clock, pipeline, checks, said } = scene(at(collector.port));
    collector.answer = (response, count) => void response.writeHead(count <= 10 ? 503 : 200).end();
    checks();
    for (const round of [1, 2, 3]) {
      await expect
        .poll(
          async () => {
            await clock.advance(1_000);
            return pipeline.counts.success + pipeline.counts.failure;
          },
          { interval: 1 },
        )
        .toBe(round);
    }
    expect(pipeline.counts).toEqual({ success: 1, failure: 2 });
    expect(collector.exports).toHaveLength(11);
    expect(said()).toEqual([
      "the collector cannot be reached: checks continue, and metrics are kept",
      "the collector takes metrics again",
    ]);
    await pipeline.close(millis(1_000));
  });
  test.for([
    [401, "status 401: check the headers that prove who sends"],
    [404, "status 404: check the path"],
    [500, "status 500"],
    [307, "status 307: redirects are not followed, name the address itself"],
  ] as const)(
    "with %i is not asked again before its time, and no secret is said",
    async ([status, reason]) => {
      await using collector = await startCollector();
      await using elsewhere = await startCollector();
      const { pipeline, checks, log } = scene(
        at(collector.port, {
          url: `http://u:hunter2@127.0.0.1:${collector.port}/v1/metrics?key=hunter2`,
        }),
      );
      collector.answer = (response) =>
        void response
          .writeHead(status, { location: `http://127.0.0.1:${elsewhere.port}/` })
          .end("hunter2");
      checks();
      await pipeline.close(millis(1_000));
      expect(collector.exports).toHaveLength(1);
      expect(elsewhere.exports).toHaveLength(0);
      expect(log.said).toEqual([
        {
          level: "warn",
          message: "the collector refuses metrics: checks continue, and metrics are sent again",
          fields: {
            "server.address": "127.0.0.1",
            "server.port": collector.port,
            "error.message": reason,
          },
        },
      ]);
    },
  );
  test("that is not there, closes, or never answers, fails within the timeout", async () => {
    await using closing = await tcpPeer((socket) => onRequestHead(socket, () => socket.end()));
    await using silent = await tcpPeer(() => {});
    for (const port of [await closedPort(), closing.port, silent.port]) {
      const { pipeline, checks, said, clock } = scene(at(port), { timeout: millis(300) });
      checks();
      let closed = false;
      const closing = pipeline.close(millis(1_000)).then(() => (closed = true));
      await expect.poll(async () => (await clock.advance(200), closed)).toBe(true);
      await closing;
      expect(said()).toEqual([
        "the collector cannot be reached: checks continue, and metrics are kept",
      ]);
    }
  });
  test("is believed after the beginning of an answer that never ends", async () => {
    await using collector = await startCollector();
    const { pipeline, checks } = scene(at(collector.port));
    collector.answer = (response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(kibibytes(16))));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    };
    checks();
    await pipeline.close(millis(1_000));
    expect(pipeline.counts).toEqual({ success: 1, failure: 0 });
  });
  test("that takes a part only is said once, without its words", async () => {
    await using collector = await startCollector();
    const { pipeline, checks, log } = scene(at(collector.port));
    const partialSuccess = { rejectedDataPoints: 1, errorMessage: "hunter2" };
    collector.answer = (response) => void response.end(JSON.stringify({ partialSuccess }));
    checks();
    await pipeline.close(millis(1_000));
    expect(log.said.map(({ fields }) => fields["points"])).toEqual([1]);
    expect(JSON.stringify(log.said)).not.toContain("hunter2");
  });
});

describe("the stop of a pipeline", () => {
  test("waits for the answer to deltas that are under way, and does not send them twice", async () => {
    await using collector = await startCollector();
    const { clock, pipeline, checks } = scene(at(collector.port), { temporality: "delta" });
    const { promise: late, resolve: answer } = Promise.withResolvers<void>();
    collector.answer = (response, count) =>
      void (count === 1 ? late.then(() => response.end()) : response.end());
    checks();
    await clock.advance(first);
    await collector.had(1);
    checks();
    checks();
    const closing = pipeline.close(millis(1_000));
    await clock.advance(499);
    answer();
    await closing;
    expect(collector.exports.map((_, index) => attempts(collector, index))).toEqual([[1], [2]]);
    expect(pipeline.counts).toEqual({ success: 2, failure: 0 });
  });
  test("cuts short an export that has no answer after half of its time, and sends the same points once more", async () => {
    await using collector = await startCollector();
    const { clock, pipeline, checks, said } = scene(at(collector.port));
    collector.answer = (response, count) => void (count > 1 && response.end());
    checks();
    await clock.advance(first);
    await collector.had(1);
    const closing = pipeline.close(millis(1_000));
    await clock.advance(500);
    await closing;
    expect(attempts(collector, 1)).toEqual(attempts(collector, 0));
    expect([collector.exports.length, pipeline.counts, said()]).toEqual([
      2,
      { success: 1, failure: 0 },
      [],
    ]);
  });
  test("ends at once when it is abandoned, and counts no failure of the collector", async () => {
    const connected = Promise.withResolvers<void>();
    await using silent = await tcpPeer((socket) =>
      onRequestHead(socket, () => connected.resolve()),
    );
    const { pipeline, checks, said } = scene(at(silent.port));
    const abandoning = new AbortController();
    checks();
    const closing = pipeline.close(millis(60_000), abandoning.signal);
    await connected.promise;
    abandoning.abort();
    await closing;
    expect([pipeline.counts, said()]).toEqual([{ success: 0, failure: 0 }, []]);
  });
});

describe("the way to a collector", () => {
  test("passes the target guard by the address that is dialled", async () => {
    await using collector = await startCollector();
    const [rule] = [
      {
        on: "host",
        pattern: "localhost",
        name: "PICKET_TARGET_DENY=localhost",
        entry: "localhost",
        kind: null,
        port: null,
      } as const,
    ];
    const context = reach({ targetRules: { allow: [], deny: [rule] } });
    const { pipeline, checks, log } = scene(
      at(0, { url: `http://localhost:${collector.port}/v1/metrics` }),
      { context },
    );
    checks();
    await pipeline.close(millis(1_000));
    expect(collector.exports).toHaveLength(0);
    expect(log.said[0]?.fields["error.message"]).toBe(
      "localhost is denied by PICKET_TARGET_DENY=localhost",
    );
    const metadata = scene(at(0, { url: "http://169.254.169.254/v1/metrics" }));
    metadata.checks();
    await metadata.pipeline.close(millis(1_000));
    expect(metadata.log.said[0]?.fields["error.message"]).toContain(
      "denied as a link-local address",
    );
  });
  test("trusts the authorities of the configuration, and no others", async () => {
    const authority = await Authority.create();
    const identity = await authority.issue();
    await using peer = await tlsPeer(identity, (socket) =>
      onRequestHead(socket, () =>
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"),
      ),
    );
    for (const [authorities, success] of [
      [authority.cert, 1],
      [null, 0],
    ] as const) {
      const url = `https://localhost:${peer.port}/v1/metrics`;
      const { pipeline, checks } = scene(at(0, { url }), {
        context: reach({ trust: { authorities, identity: null } }),
        interval: millis(1),
      });
      checks();
      await pipeline.close(millis(1_000));
      expect(pipeline.counts.success).toBe(success);
    }
  });
});
