import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import {
  type IngestBatchRequest,
  IngestBatchRequestSchema,
  IngestBatchResponseSchema,
  MonitorsResponseSchema,
  Receipt,
} from "#contract/private_location/v1/private_location_pb";
import type { Cause } from "#check/cause";
import type { Clock } from "#base/clock";
import { connectControlPlane } from "#transport/connect-control-plane";
import { type ControlPlane, ServiceError } from "#transport/control-plane";
import type { Result } from "#check/result";
import { messageOf, missedReport, type Report, reportOf } from "#wire/report";
import * as checkLimits from "#limits/check-limits";
import { epochMillis, millis, nanos } from "#base/units";
import {
  type Answer,
  assigning,
  bytes,
  controlPlaneServer,
  ingestedHttp,
  refusing,
} from "../servers/control-plane-server.ts";
import { closedPort } from "../servers/scripted.ts";
import { beat } from "../support/beat.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { wayWith } from "../support/service-way.ts";
import { httpOutcome, resultWith } from "../support/results.ts";

const broken: Cause = {
  scope: "gateway",
  subject: "10.0.0.1",
  certainty: "proven",
  since: epochMillis(1),
  id: "c1",
  sentence: "the gateway 10.0.0.1 does not answer on this network",
  affected: 3,
};

const signal = new AbortController().signal;

function connected(baseUrl: string, clock: Clock = new FakeClock()): ControlPlane {
  return connectControlPlane({
    baseUrl,
    token: () => "pkt_loc_token",
    tokenHeader: "x-service-token",
    instance: {
      id: "i",
      version: "1",
      hostname: "h",
      node: "",
      labels: { a: "b" },
      placement: "share",
    },
    way: wayWith({ clock }),
    clock,
  });
}

async function failed(call: Promise<unknown>): Promise<ServiceError> {
  return call.then(
    () => expect.fail("the call did not fail"),
    (error: unknown) => {
      expect(error).toBeInstanceOf(ServiceError);
      return error as ServiceError;
    },
  );
}

async function reported(
  controlPlane: ControlPlane,
  reports: readonly Report[],
): Promise<readonly string[]> {
  const receipts = new Map<string, string>();
  await controlPlane.report(
    reports,
    ({ id }, { outcome }) => void receipts.set(id, outcome),
    signal,
  );
  return reports.map(({ id }) => receipts.get(id) ?? "nothing told");
}

describe("a pull", () => {
  test("reads the assignment of a service without the extension, with the token in its header", async () => {
    await using server = await controlPlaneServer({ Monitors: assigning });
    const pull = await connected(server.url).pull(null, signal);
    expect(pull).toMatchObject({
      unchanged: false,
      region: "office",
      revision: null,
      monitors: [{ id: "t", uri: "a.test:1" }],
    });
    expect(server.heard).toEqual(["Monitors pkt_loc_token"]);
  });

  test("takes the same bytes once, and others after them, also what it had before", async () => {
    const answers = [assigning, assigning, bytes(""), bytes(""), assigning];
    const assigned: Answer = (...call) => answers.shift()?.(...call);
    await using server = await controlPlaneServer({ Monitors: assigned });
    const plane = connected(server.url);
    const heard: unknown[] = [];
    while (answers.length > 0) {
      const pull = await plane.pull(null, signal);
      heard.push(pull.unchanged || pull.monitors.map(({ id }) => id));
    }
    expect(heard).toEqual([["t"], true, [], true, ["t"]]);
  });

  test("gives the whole of before as news after changes of it: a database may have been put back", async () => {
    const tcpMonitors = [{ id: "t", uri: "a.test:1", periodicity: "30s" }];
    const whole = { tcpMonitors, revision: "r1" };
    const answers = [whole, { revision: "r2", changedSince: "r1", removed: ["t"] }, whole].map(
      (one) => bytes(toBinary(MonitorsResponseSchema, create(MonitorsResponseSchema, one))),
    );
    const assigned: Answer = (...call) => answers.shift()?.(...call);
    await using server = await controlPlaneServer({ Monitors: assigned });
    const plane = connected(server.url);
    const heard: unknown[] = [];
    for (let left = answers.length; left > 0; left -= 1) {
      const pull = await plane.pull({ revision: "r1", takesChanges: true }, signal);
      heard.push(pull.unchanged || [pull.monitors.length, pull.changes]);
    }
    const changes = { since: "r1", removed: ["t"] };
    expect(heard).toEqual([
      [1, null],
      [0, changes],
      [1, null],
    ]);
  });

  test("refuses an assignment that is too large each time it comes", async () => {
    const tcpMonitors = Array.from({ length: checkLimits.monitorsPerAgentMax + 1 }, () => ({}));
    const message = create(MonitorsResponseSchema, { tcpMonitors });
    const Monitors = bytes(toBinary(MonitorsResponseSchema, message));
    await using server = await controlPlaneServer({ Monitors });
    const plane = connected(server.url);
    const reasons = [
      await failed(plane.pull(null, signal)),
      await failed(plane.pull(null, signal)),
    ];
    expect(reasons.map(({ reason }) => reason)).toEqual(["oversized", "oversized"]);
  });

  test("keeps a path prefix and a trailing slash of the base URL", async () => {
    const paths: (string | undefined)[] = [];
    await using server = await controlPlaneServer({
      Monitors: (request, response, body) => {
        paths.push(request.url);
        assigning(request, response, body);
      },
    });
    await connected(`${server.url}/prefix/`).pull(null, signal);
    await connected(server.url).pull(null, signal);
    expect(paths).toEqual([
      "/prefix/private_location.v1.PrivateLocationService/Monitors",
      "/private_location.v1.PrivateLocationService/Monitors",
    ]);
  });

  const failures: Record<string, [Parameters<typeof controlPlaneServer>[0], string]> = {
    "401": [{ Monitors: refusing(401, "unauthenticated") }, "unauthenticated"],
    "403": [{ Monitors: refusing(403, "permission_denied") }, "forbidden"],
    "400": [{ Monitors: refusing(400, "invalid_argument") }, "rejected"],
    "500": [{ Monitors: refusing(500, "internal") }, "internal"],
    "503": [{ Monitors: refusing(503, "unavailable") }, "unavailable"],
    "an HTML page": [
      { Monitors: bytes("<html></html>", { "content-type": "text/html" }) },
      "unavailable",
    ],
    "bytes that are no message": [{ Monitors: bytes("\xff\xff\xff\xff") }, "garbage"],
    "half a body": [
      {
        Monitors: (_request, response) => {
          response.writeHead(200, { "content-type": "application/proto", "content-length": "500" });
          response.write("ab");
          response.destroy();
        },
      },
      "unavailable",
    ],
    "a connection that is dropped": [
      { Monitors: (request) => request.socket.destroy() },
      "unavailable",
    ],
  };
  test.each(Object.entries(failures))(
    "that is answered by %s fails as what it is",
    async (_name, [answers, reason]) => {
      await using server = await controlPlaneServer(answers);
      expect((await failed(connected(server.url).pull(null, signal))).reason).toBe(reason);
    },
  );

  test("fails when nothing listens, and when we abort it", async () => {
    expect(
      (await failed(connected(`http://127.0.0.1:${await closedPort()}`).pull(null, signal))).reason,
    ).toBe("unavailable");
    await using server = await controlPlaneServer({ Monitors: () => {} });
    const stop = new AbortController();
    const pulling = failed(connected(server.url).pull(null, stop.signal));
    stop.abort();
    expect((await pulling).reason).toBe("cancelled");
  });

  test("says how long 429 asks us to wait", async () => {
    await using server = await controlPlaneServer({
      Monitors: refusing(429, "resource_exhausted", { "retry-after": "7" }),
    });
    expect(await failed(connected(server.url).pull(null, signal))).toMatchObject({
      reason: "rate_limited",
      retryAfter: 7_000,
    });
  });
});

describe("results", () => {
  const reports = [1, 2, 3].flatMap((slot) =>
    ["a", "b"].map((monitorId) => reportOf(resultWith({ monitorId, slot: epochMillis(slot) }))),
  );

  test("go by the plain calls if there is no batch: each monitor's in the order of its slots", async () => {
    const seen: string[] = [];
    await using server = await controlPlaneServer({
      IngestHTTP: (request, response, body) => {
        const { monitorId, cronTimestamp } = ingestedHttp(body);
        seen.push(`${monitorId}${cronTimestamp}`);
        bytes("")(request, response, body);
      },
    });
    const receipts = await reported(connected(server.url), reports);
    expect(receipts).toEqual(reports.map(() => "accepted"));
    expect(seen.filter((one) => one.startsWith("a"))).toEqual(["a1", "a2", "a3"]);
    expect(seen.filter((one) => one.startsWith("b"))).toEqual(["b1", "b2", "b3"]);
  });

  test("that may have been slow keep a degraded monitor degraded by the plain calls, which know no doubt", async () => {
    const said: string[] = [];
    await using server = await controlPlaneServer({
      IngestHTTP: (request, response, body) => {
        said.push(ingestedHttp(body).requestStatus);
        bytes("")(request, response, body);
      },
    });
    const took = (slot: number, status: Result["status"], errorBar: number): Report =>
      reportOf(
        resultWith({
          slot: epochMillis(slot),
          status,
          latency: millis(900),
          degradedAt: millis(400),
          outcome: httpOutcome({ total: nanos(900e6), errorBar: nanos(errorBar * 1e6) }),
        }),
      );
    const perhaps = took(3, "success", 600);
    await reported(connected(server.url), [
      took(1, "success", 600),
      took(2, "degraded", 0),
      perhaps,
      took(4, "error", 0),
      took(5, "success", 600),
    ]);
    expect(said).toEqual(["success", "degraded", "degraded", "error", "success"]);
    expect(messageOf(perhaps.payload)?.result.value?.requestStatus).toBe("success");
  });

  test("of slots without a result go with the batch, and not at all by the plain calls", async () => {
    const missed = missedReport({ id: "gone", monitorId: "m", slot: epochMillis(30_000) }, broken);
    const result = reportOf(resultWith({ id: "seen" }));
    const batches: IngestBatchRequest[] = [];
    await using ours = await controlPlaneServer({
      IngestBatch: (request, response, body) => {
        batches.push(fromBinary(IngestBatchRequestSchema, body));
        const receipts = [{ id: "seen", receipt: Receipt.ACCEPTED }];
        const answer = create(IngestBatchResponseSchema, { receipts });
        bytes(toBinary(IngestBatchResponseSchema, answer))(request, response, body);
      },
    });
    expect(await reported(connected(ours.url), [missed, result])).toEqual(["noted", "accepted"]);
    expect(batches[0]).toMatchObject({
      results: [{ result: { case: "http" } }],
      missed: [{ monitorId: "m", from: 30_000n, reason: "vantage", cause: { causeId: "c1" } }],
    });
    await using theirs = await controlPlaneServer({ IngestTCP: bytes(""), IngestHTTP: bytes("") });
    expect(await reported(connected(theirs.url), [missed, result])).toEqual(["noted", "accepted"]);
    expect(
      theirs.heard.filter((one) => one.startsWith("IngestHTTP") || one.startsWith("IngestTCP")),
    ).toHaveLength(1);
  });

  test("ask for the batch again after an hour, not before", async () => {
    const clock = new FakeClock();
    await using server = await controlPlaneServer({ IngestHTTP: bytes("") });
    const controlPlane = connected(server.url, clock);
    const batches = (): number =>
      server.heard.filter((one) => one.startsWith("IngestBatch")).length;
    await reported(controlPlane, reports);
    await clock.advance(3_599_000);
    await reported(controlPlane, reports);
    expect(batches()).toBe(1);
    await clock.advance(2_000);
    await reported(controlPlane, reports);
    expect(batches()).toBe(2);
  });

  test("that fail hold back those behind them of the same monitor, and no other", async () => {
    await using server = await controlPlaneServer({
      IngestHTTP: (request, response, body) =>
        (ingestedHttp(body).monitorId === "a" ? refusing(500, "internal") : bytes(""))(
          request,
          response,
          body,
        ),
    });
    const receipts = await reported(connected(server.url), reports);
    expect(receipts).toEqual([
      "retry",
      "accepted",
      "nothing told",
      "accepted",
      "nothing told",
      "accepted",
    ]);
    expect(server.heard.filter((one) => one.startsWith("IngestHTTP"))).toHaveLength(4);
  });

  test("are dropped on 400 and 404, kept on everything else, and a refused token stops the rest", async () => {
    const outcomeOf = async (status: number, code: string): Promise<string> => {
      await using server = await controlPlaneServer({ IngestHTTP: refusing(status, code) });
      const [receipt] = await reported(connected(server.url), reports.slice(0, 1));
      return receipt ?? "";
    };
    expect(await outcomeOf(400, "invalid_argument")).toBe("rejected");
    expect(await outcomeOf(404, "not_found")).toBe("rejected");
    for (const [status, code] of [
      [401, "unauthenticated"],
      [403, "permission_denied"],
      [429, "resource_exhausted"],
      [500, "internal"],
      [503, "unavailable"],
    ] as const)
      expect(await outcomeOf(status, code), code).toBe("retry");
  });
});

describe("a heartbeat", () => {
  test("is not missed if the service has none", async () => {
    await using server = await controlPlaneServer({ Monitors: assigning });
    const controlPlane = connected(server.url);
    expect(await controlPlane.heartbeat(beat, signal)).toBeNull();
    expect(await controlPlane.heartbeat(beat, signal)).toBeNull();
    expect(server.heard).toHaveLength(1);
  });
  test("says when the service is away", async () => {
    await using server = await controlPlaneServer({ Heartbeat: refusing(503, "unavailable") });
    expect((await failed(connected(server.url).heartbeat(beat, signal))).reason).toBe(
      "unavailable",
    );
  });

  test("continues if a proxy before a restarting service does not know it", async () => {
    let away = false;
    await using server = await controlPlaneServer({
      Heartbeat: (request, response, body) =>
        (away ? refusing(404, "not_found") : bytes(""))(request, response, body),
    });
    const controlPlane = connected(server.url);
    expect(await controlPlane.heartbeat(beat, signal)).not.toBeNull();
    away = true;
    for (const _ of ["first", "second"])
      expect((await failed(controlPlane.heartbeat(beat, signal))).reason).toBe("unavailable");
    away = false;
    expect(await controlPlane.heartbeat(beat, signal)).not.toBeNull();
    away = true;
    await failed(controlPlane.heartbeat(beat, signal));
    await failed(controlPlane.heartbeat(beat, signal));
    expect(await controlPlane.heartbeat(beat, signal)).toBeNull();
  });
});
