import { createServer, type IncomingMessage } from "node:http";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { runCheck } from "#agent/prober/checks/run-check";
import { filledTarget } from "#agent/secrets/filled-target";
import { parseSecretHost } from "#agent/secrets/secret-hosts";
import { SearchSteps, SecretEcho } from "#check/secret-echo";
import { withoutSecrets } from "#agent/secrets/without-secrets";
import { Secrets } from "#agent/secrets/secrets";
import type { SecretTable } from "#agent/secrets/secret-table";
import { httpDefaults, type HttpDefinition, type MonitorDefinition } from "#check/definition";
import { grpcKind } from "#check/kinds/grpc/grpc-kind";
import type { RunnableMonitor } from "#check/monitor";
import { readMonitor } from "#check/read-monitor";
import * as limits from "#limits/answer-limits";
import * as secretsLimits from "#limits/secrets-limits";
import { bodyOf } from "#check/outcome";
import type { Result } from "#check/result";
import type { ReportedAnswers } from "#check/verdict";
import { epochMillis, millis } from "#base/units";
import { systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { probe } from "#probes/registry";
import { messageOf, reportOf } from "#wire/report";
import { grpcServer } from "../../servers/grpc-server.ts";
import { listenLocally } from "../../servers/listen-locally.ts";
import { contextWith } from "../../support/probing.ts";
import { memoryLog } from "../../support/twins.ts";

const api = "tok_9f8e7d6c5b4a/39?x";
const user = "ann@corp";

function tableOf(
  hosts: readonly string[],
  more: Readonly<Record<string, string>> = {},
): SecretTable {
  const parsed = hosts.flatMap((text) => {
    const host = parseSecretHost(text);
    return host.ok ? [host.value] : [];
  });
  const values = { api, user, ...more };
  const secrets = new Map(
    Object.entries(values).map(([name, value]) => [name, { value, hosts: parsed, source: "test" }]),
  );
  return { secrets, unusable: new Map([["broken", "it is empty (/secrets/broken)"]]), away: null };
}

interface Heard {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A target that remembers what it was asked, and sends all of it back. */
async function echoing(
  answer: (heard: Heard) => {
    status?: number;
    headers?: Readonly<Record<string, string>>;
    body?: string;
  } = () => ({}),
) {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url = "", headers } = request;
      const one = { url, headers, body: Buffer.concat(chunks).toString() };
      heard.push(one);
      const { status = 200, headers: more = {}, body = JSON.stringify(one) } = answer(one);
      response.writeHead(status, { "x-echo": String(headers["x-token"] ?? ""), ...more });
      response.end(body);
    });
  });
  const port = await listenLocally(server);
  onTestFinished(() => void server.close());
  return { heard, port, url: `http://127.0.0.1:${port}` };
}

const common = { name: "shop", periodicity: "30s", retry: 0, timeout: 10_000 };

const monitorOf = (definition: Partial<HttpDefinition>): RunnableMonitor =>
  runnable({ ...httpDefaults, ...common, ...definition });

function runnable(definition: MonitorDefinition): RunnableMonitor {
  const reading = readMonitor("m", definition, "assignment");
  return reading.is === "runnable" ? reading.monitor : expect.fail(JSON.stringify(reading));
}

async function check(
  monitor: RunnableMonitor,
  table: SecretTable | null,
  reportedAnswers: ReportedAnswers = "of failed checks",
): Promise<Result> {
  const slot = { monitor, at: epochMillis(1_000), until: epochMillis(2_000) };
  const prober = {
    probe: async (
      ...[target, timeout]: Parameters<Parameters<typeof runCheck>[1]["prober"]["probe"]>
    ) => {
      using deadline = startDeadline(systemClock, timeout);
      return await probe(target, deadline, contextWith());
    },
  };
  const tools = {
    prober,
    clock: systemClock,
    log: memoryLog(),
    chance: () => 0,
    secrets: new Secrets(table),
    reportedAnswers,
  };
  const result = await runCheck(slot, tools, new AbortController().signal);
  return result ?? expect.fail("the check was cut off");
}

/** Everything that leaves the thread of a check, as text. */
const shown = (result: Result): string =>
  JSON.stringify([result, messageOf(reportOf(result, "whole").payload)], (_, value) =>
    typeof value === "bigint"
      ? String(value)
      : value instanceof Uint8Array
        ? Buffer.from(value).toString()
        : value,
  );

const spellings = [api, user].flatMap((one) => [
  one,
  encodeURIComponent(one),
  Buffer.from(one).toString("base64").slice(0, -4),
]);
function expectNoSecretIn(result: Result): void {
  const text = shown(result);
  for (const one of spellings) expect(text.toLowerCase()).not.toContain(one.toLowerCase());
}

describe("a secret of the location", () => {
  test("goes to the target in header, body, path, query and user-info, and is in nothing that is said of the check", async () => {
    const target = await echoing();
    const monitor = monitorOf({
      url: `http://{{secret:user}}:{{secret:api}}@127.0.0.1:${target.port}/a/{{secret:api}}?k={{secret:api}}`,
      method: "POST",
      headers: [{ key: "X-Token", value: "Token {{secret:api}}" }],
      body: '{"token":"{{secret:api}}","literal":"{{!secret:api}}"}',
      degradedAt: 1,
      bodyAssertions: [{ comparator: "eq", target: "another body" }],
    });
    const result = await check(monitor, tableOf([`http://127.0.0.1:${target.port}`]));
    const encoded = encodeURIComponent(api);
    expect(target.heard).toEqual([
      {
        url: `/a/${encoded}?k=${encoded}`,
        headers: expect.objectContaining({
          "x-token": `Token ${api}`,
          authorization: `Basic ${Buffer.from(`${user}:${api}`).toString("base64")}`,
        }),
        body: `{"token":"${api}","literal":"{{secret:api}}"}`,
      },
    ]);
    expect(result).toMatchObject({ status: "error", failure: { code: "assertion_failed" } });
    expectNoSecretIn(result);
    expect(result.uri).toContain("{{secret:api}}");
    expect(shown(result)).toContain("[removed]");
  });

  test("is cut from the body that a degraded check reports", async () => {
    const target = await echoing();
    const headers = [{ key: "X-Token", value: "{{secret:api}}" }];
    const { outcome } = await check(monitorOf({ url: target.url, headers }), null);
    if (outcome?.kind !== "http" || outcome.response === null) return expect.fail("no answer");
    const body = new TextEncoder().encode(`{"sent":"${api}","as":"${encodeURIComponent(api)}"}`);
    const judged = {
      outcome: { ...outcome, response: { ...outcome.response, body, bodyBytes: body.length } },
      evaluations: [],
      latency: millis(9),
      verdict: { status: "degraded", failure: null },
    } as const;
    const rest = withoutSecrets(judged, [new SecretEcho(api)]).outcome;
    expect(Buffer.from(bodyOf(rest)).toString()).toBe('{"sent":"[removed]","as":"[removed]"}');
  });

  test("is reported without a text that may begin the secret at every place", async () => {
    const target = await echoing(() => ({ status: 500, body: "?".repeat(60_000) }));
    const headers = [{ key: "X-Token", value: "{{secret:foreign}}" }];
    const result = await check(
      monitorOf({ url: target.url, headers }),
      tableOf([target.url], { foreign: "ж".repeat(200) }),
    );
    const detail = messageOf(reportOf(result, "whole").payload)?.detail;
    expect(detail?.answer).toMatchObject({ body: "[removed]", bodyBytes: 60_000n });
  });

  test("is looked for in an answer that is all like it for a number of steps, and what is not searched is not judged", async () => {
    using take = vi.spyOn(SearchSteps.prototype, "take");
    const target = await echoing(() => ({
      headers: { "x-page": "?".repeat(2_000) },
      body: "?".repeat(2_000),
    }));
    const result = await check(
      monitorOf({
        url: target.url,
        headers: [{ key: "X-Token", value: "{{secret:foreign}}" }],
        headerAssertions: [{ key: "X-Page", comparator: "not_empty", target: "" }],
        bodyAssertions: [{ comparator: "not_contains", target: "error" }],
      }),
      tableOf([target.url], { foreign: "ж".repeat(200) }),
    );
    const steps = take.mock.calls.reduce((sum, [one]) => sum + one, 0);
    expect(steps).toBeGreaterThan(secretsLimits.judgedSearchSteps);
    expect(steps).toBeLessThan(3 * secretsLimits.judgedSearchSteps);
    const unheld = { held: false, received: "[removed]", unproven: false };
    expect(result.evaluations).toMatchObject([
      { kind: "body", ...unheld },
      { kind: "header", ...unheld },
    ]);
    expect(result.failure).toMatchObject({
      code: "assertion_failed",
      message:
        'Assertion failed: body not_contains "error": too much of the answer looks like a secret of this location that the check sends, so it was not compared (and 1 more)',
    });
  });

  test("is cut from the excerpt of a body that a failed check reports, before that is cut to its length", async () => {
    const fill = "x".repeat(limits.answerBodyBytesMax - 10);
    for (const before of ["", fill, fill.slice(0, -api.length)]) {
      const body = `${before}${api} ${encodeURIComponent(api)} ${"ä".repeat(9_000)}`;
      const target = await echoing(() => ({ status: 500, body }));
      const headers = [{ key: "X-Token", value: "{{secret:api}}" }];
      const result = await check(monitorOf({ url: target.url, headers }), tableOf([target.url]));
      expectNoSecretIn(result);
      const detail = messageOf(reportOf(result, "whole").payload)?.detail;
      const open = `${before}[removed] [removed] ${"ä".repeat(9_000)}`;
      const { body: excerpt = "", bodyBytes } = detail?.answer ?? {};
      expect(open.startsWith(excerpt)).toBe(true);
      expect(Buffer.byteLength(excerpt)).toBeGreaterThan(limits.answerBodyBytesMax - 2);
      expect(Buffer.byteLength(excerpt)).toBeLessThanOrEqual(limits.answerBodyBytesMax);
      expect(bodyBytes).toBe(BigInt(Buffer.byteLength(body)));
    }
  });

  test("is cut from the excerpt of a check that passed and a person asked for, and at a slot nothing of that body is left", async () => {
    const fill = "x".repeat(limits.answerBodyBytesMax - 10);
    const target = await echoing(() => ({ body: `${fill}${api}` }));
    const headers = [{ key: "X-Token", value: "{{secret:api}}" }];
    const monitor = monitorOf({ url: target.url, headers });
    const table = tableOf([target.url]);
    const asked = await check(monitor, table, "of every check");
    expect(asked.status).toBe("success");
    expectNoSecretIn(asked);
    const { payload } = reportOf(asked, "whole", "of every check");
    expect(messageOf(payload)?.detail?.answer?.body).toBe(`${fill}[removed]`.slice(0, 2_048));
    const scheduled = await check(monitor, table);
    expect(messageOf(reportOf(scheduled, "whole").payload)?.detail?.answer).toBeUndefined();
    if (scheduled.outcome !== null) expect(bodyOf(scheduled.outcome)).toHaveLength(0);
  });

  test("does not tell in a whole body or header whether a guess of its beginning is right", async () => {
    const token = [{ key: "X-Token", value: "{{secret:api}}" }];
    for (const guess of [api.slice(0, 10), `${api.slice(0, 9)}-`]) {
      const target = await echoing(() => ({
        headers: { "x-page": guess },
        body: `none: ${guess}`,
      }));
      const result = await check(
        monitorOf({
          url: target.url,
          headers: token,
          bodyAssertions: [{ comparator: "contains", target: guess }],
          headerAssertions: [{ key: "X-Page", comparator: "eq", target: guess }],
        }),
        tableOf([target.url]),
      );
      expect(result.evaluations.map(({ held, received }) => [held, received])).toEqual([
        [true, `none: ${guess}`],
        [true, guess],
      ]);
      const bodyAssertions = [{ comparator: "contains" as const, target: guess }];
      const other = await echoing(() => ({ body: "none" }));
      const failed = await check(
        monitorOf({ url: other.url, headers: token, bodyAssertions }),
        tableOf([other.url]),
      );
      expect(failed.failure?.message).toContain(guess);
    }
  });

  test("is cut where the agent cut the body off within it", async () => {
    const target = await echoing();
    const headers = [{ key: "X-Token", value: "{{secret:api}}" }];
    const { outcome } = await check(monitorOf({ url: target.url, headers }), null);
    if (outcome?.kind !== "http" || outcome.response === null) return expect.fail("no answer");
    const body = new TextEncoder().encode(`sent ${api.slice(0, 10)}`);
    const bodies = [
      { body, bodyBytes: body.length, bodyCut: true },
      { body, bodyBytes: body.length + 1, bodyCut: false },
    ];
    for (const one of bodies) {
      const judged = {
        outcome: { ...outcome, response: { ...outcome.response, ...one } },
        evaluations: [],
        latency: millis(9),
        verdict: { status: "degraded", failure: null },
      } as const;
      const rest = withoutSecrets(judged, [new SecretEcho(api)]).outcome;
      expect(Buffer.from(bodyOf(rest)).toString()).toBe("sent [removed]");
    }
  });

  test.each<readonly [what: string, value: string, hosts: readonly string[], sentence: RegExp]>([
    [
      "that no one has",
      "{{secret:other}}",
      ["http://127.0.0.1"],
      /^This agent has no secret other: put it where PICKET_SECRETS_DIR says/,
    ],
    [
      "that cannot be used",
      "{{secret:broken}}",
      ["http://127.0.0.1"],
      /^The secret broken cannot be used: it is empty/,
    ],
    [
      "that may go to no host",
      "{{secret:api}}",
      [],
      /^The secret api may go to no host: write http:\/\/127\.0\.0\.1:\d+ into api\.hosts/,
    ],
    [
      "that may go elsewhere",
      "{{secret:api}}",
      ["api.test"],
      /^The secret api may not go to 127\.0\.0\.1:\d+ without a verified TLS connection, but to api\.test: add http:/,
    ],
    [
      "that may go there by TLS alone",
      "{{secret:api}}",
      ["127.0.0.1"],
      /without a verified TLS connection/,
    ],
    [
      "with a line break in a header",
      "{{secret:lines}}",
      ["http://127.0.0.1"],
      /^The secret lines has a line break, or another character that the header X-Token cannot carry/,
    ],
    [
      "with a name that cannot be read",
      "{{secret:a b}}",
      ["http://127.0.0.1"],
      /names a secret in a way that cannot be read/,
    ],
    [
      "within another",
      "{{secret:{{secret:api}}}}",
      ["http://127.0.0.1"],
      /names a secret in a way that cannot be read/,
    ],
  ])(
    "%s is a fault of the agent's that names it, and nothing is sent",
    async (_, value, hosts, sentence) => {
      const target = await echoing();
      const monitor = monitorOf({ url: target.url, headers: [{ key: "X-Token", value }] });
      const result = await check(monitor, tableOf(hosts, { lines: "first\nsecond" }));
      expect(result.failure).toMatchObject({
        code: "agent_error",
        phase: "config",
        message: expect.stringMatching(sentence),
      });
      expect(target.heard).toEqual([]);
      expect(result.attempts).toHaveLength(1);
      expectNoSecretIn(result);
    },
  );

  test("is text like any other for an agent that has no place for secrets", async () => {
    const target = await echoing();
    const headers = [{ key: "X-Token", value: "{{secret:api}} {{!secret:b}}" }];
    await check(monitorOf({ url: `${target.url}/{{secret:api}}`, headers }), null);
    expect(target.heard[0]?.headers["x-token"]).toBe("{{secret:api}} {{!secret:b}}");
    expect(target.heard[0]?.url).toBe("/%7B%7Bsecret:api%7D%7D");
  });
});

describe("a redirect to another origin", () => {
  const hosts = ["http://127.0.0.1", "http://localhost"];

  test("carries no secret, whatever its header is called", async () => {
    const elsewhere = await echoing();
    const target = await echoing(() => ({
      status: 302,
      headers: { location: `${elsewhere.url}/next` },
    }));
    const headers = [
      { key: "X-Shop", value: "{{secret:api}}" },
      { key: "X-Open", value: "open" },
    ];
    const result = await check(monitorOf({ url: target.url, headers }), tableOf(hosts));
    expect(target.heard[0]?.headers["x-shop"]).toBe(api);
    expect(elsewhere.heard[0]?.headers["x-shop"]).toBeUndefined();
    expect(elsewhere.heard[0]?.headers["x-open"]).toBe("open");
    expect(result).toMatchObject({
      status: "success",
      outcome: { hops: [{}, { leftBehind: ["X-Shop"] }] },
    });
  });

  test.each<
    readonly [what: string, location: (url: string) => string, body: string, where: string]
  >([
    [
      "with a secret in its address",
      (url) => `${url}/?q=${encodeURIComponent(api).toLowerCase()}`,
      "",
      "the address",
    ],
    ["that repeats a body with a secret", (url) => `${url}/`, "{{secret:api}}", "the body"],
  ])("%s is not followed", async (_, location, body, where) => {
    const elsewhere = await echoing();
    const target = await echoing(() => ({
      status: 307,
      headers: { location: location(elsewhere.url) },
    }));
    const headers = [{ key: "X-Shop", value: "{{secret:api}}" }];
    const result = await check(
      monitorOf({ url: target.url, method: "POST", headers, body }),
      tableOf(hosts),
    );
    expect(elsewhere.heard).toEqual([]);
    expect(result.failure).toMatchObject({ code: "target_denied", phase: "policy" });
    expect(result.failure?.message).toContain(
      `with a secret of this location in ${where}: it is not sent there`,
    );
    expectNoSecretIn(result);
  });

  test("is not followed if its address is all like a secret, which is known after a number of steps", async () => {
    using take = vi.spyOn(SearchSteps.prototype, "take");
    const elsewhere = await echoing();
    const target = await echoing(() => ({
      status: 302,
      headers: { location: `${elsewhere.url}/?q=${"?".repeat(2_000)}` },
    }));
    const headers = [{ key: "X-Shop", value: "{{secret:foreign}}" }];
    const table = tableOf(hosts, { foreign: "ж".repeat(200) });
    const result = await check(monitorOf({ url: target.url, headers }), table);
    const steps = take.mock.calls.reduce((sum, [one]) => sum + one, 0);
    expect(steps).toBeLessThan(6 * secretsLimits.secretSearchSteps);
    expect(result.failure).toMatchObject({ code: "target_denied", phase: "policy" });
    expect(elsewhere.heard).toEqual([]);
  });

  test("to the same origin carries it on", async () => {
    const target = await echoing(({ url }) =>
      url === "/" ? { status: 302, headers: { location: "/next" } } : {},
    );
    const headers = [{ key: "X-Shop", value: "{{secret:api}}" }];
    await check(monitorOf({ url: target.url, headers }), tableOf(hosts));
    expect(target.heard.map((one) => one.headers["x-shop"])).toEqual([api, api]);
  });
});

test("a gRPC check sends a secret in its metadata, and an error that repeats it is cut", async () => {
  await using server = await grpcServer({ "": { code: 16, details: `bad token ${api}` } });
  const monitor = runnable({
    ...grpcKind.defaults,
    ...common,
    uri: `127.0.0.1:${server.port}`,
    tlsMode: "plaintext",
    metadata: [{ key: "x-token", value: "{{secret:api}}" }],
  });
  const result = await check(monitor, tableOf([`grpc://127.0.0.1:${server.port}`]));
  expect(server.calls[0]?.get("x-token")).toEqual([api]);
  expect(result.failure).toMatchObject({ code: "grpc_status" });
  expectNoSecretIn(result);
});

test("a secret that was renewed under its name is cut from answers as it is now", async () => {
  const hosts = ["http://shop.test"];
  const secrets = new Secrets(tableOf(hosts));
  const { target: asked, ...monitor } = monitorOf({
    url: "http://shop.test/",
    headers: [{ key: "X-Token", value: "{{secret:api}}" }],
  });
  const echoesNow = (): readonly SecretEcho[] => {
    const filled = filledTarget({ ...monitor, target: asked }, secrets);
    return filled.ok ? filled.echoes : expect.fail(filled.failure.message);
  };
  expect(echoesNow().map((echo) => echo.cut(`was ${api}`))).toEqual(["was [removed]"]);
  secrets.replace(tableOf(hosts, { api: "renewed-4711" }));
  expect(echoesNow().map((echo) => echo.cut("is renewed-4711"))).toEqual(["is [removed]"]);
});

describe("an assertion on an answer that repeats a secret", () => {
  const guesses = ["9f8e7d", "another", api, encodeURIComponent(api)];
  test.each([
    [
      "its body",
      (target: string) => ({ bodyAssertions: [{ comparator: "contains", target }] }),
      "assertion_failed",
    ],
    [
      "its body, the other way round",
      (target: string) => ({ bodyAssertions: [{ comparator: "not_contains", target }] }),
      undefined,
    ],
    [
      "a header",
      (target: string) => ({
        headerAssertions: [{ key: "x-echo", comparator: "contains", target }],
      }),
      "assertion_failed",
    ],
    [
      "a value of its JSON",
      (target: string) => ({
        jsonAssertions: [{ path: '$.headers["x-token"]', comparator: "contains", target }],
      }),
      "assertion_failed",
    ],
  ] as const)("cannot ask for it in %s, whatever it guesses", async (_where, asserting, code) => {
    const target = await echoing();
    const headers = [{ key: "X-Token", value: "{{secret:api}}" }];
    const codes = [];
    for (const guess of guesses) {
      const monitor = monitorOf({ url: target.url, headers, ...asserting(guess) });
      codes.push((await check(monitor, tableOf([target.url]))).failure?.code);
    }
    expect(target.heard.every((one) => one.headers["x-token"] === api)).toBe(true);
    expect(codes).toEqual(guesses.map(() => code));
  });

  test("still sees the rest of it", async () => {
    const target = await echoing();
    const headers = [{ key: "X-Token", value: "{{secret:api}}" }];
    const bodyAssertions = [{ comparator: "contains", target: '"x-token":"[removed]"' }];
    const monitor = monitorOf({ url: target.url, headers, bodyAssertions });
    expect((await check(monitor, tableOf([target.url]))).status).toBe("success");
  });
});
