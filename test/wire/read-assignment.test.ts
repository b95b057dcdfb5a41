import { create, fromBinary, type MessageInitShape } from "@bufbuild/protobuf";
import { array, assert, constantFrom, property, record } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type DNSMonitorSchema,
  type HTTPMonitorSchema,
  MonitorsResponseSchema,
  StatusCodeAssertionSchema,
  type TCPMonitorSchema,
} from "#contract/private_location/v1/private_location_pb";
import type { Monitor } from "#check/monitor";
import { remarksKeptMax } from "#limits/wire-limits";
import { readAssignment, withChanges } from "#wire/read-assignment";

interface Init {
  readonly httpMonitors?: MessageInitShape<typeof HTTPMonitorSchema>[];
  readonly tcpMonitors?: MessageInitShape<typeof TCPMonitorSchema>[];
  readonly dnsMonitors?: MessageInitShape<typeof DNSMonitorSchema>[];
}
/** A number that the enum of today does not have. */
const future = Object.assign(create(StatusCodeAssertionSchema, { target: 200n }), {
  comparator: 42,
});
const read = (response: Init): ReturnType<typeof readAssignment> =>
  readAssignment(create(MonitorsResponseSchema, response));
const http = { id: "h", url: "https://a.test/", periodicity: "30s" };

function only(response: Init): Monitor {
  const { monitors } = read(response);
  const [monitor] = monitors;
  if (monitor === undefined || monitors.length !== 1)
    throw new Error(`${monitors.length} monitors`);
  return monitor;
}

describe("an assignment", () => {
  test("takes defaults for what is 0 or absent", () => {
    expect(only({ httpMonitors: [http] })).toMatchObject({
      rejection: null,
      periodicity: 30_000,
      timeout: 45_000,
      degradedAt: null,
      retry: 0,
      target: { kind: "http", method: "GET", followRedirects: false },
      otel: null,
    });
    expect(only({ httpMonitors: [{ ...http, periodicity: "10s", degradedAt: 0n }] })).toMatchObject(
      { rejection: null, periodicity: 10_000, degradedAt: null },
    );
  });

  test("knows every comparator by its number", () => {
    const numbers = [1, 2, 3, 4, 5, 6].map((comparator) => ({ target: 200n, comparator }));
    const strings = Array.from({ length: 10 }, (_, n) => ({ target: "x", comparator: n + 1 }));
    const monitor = only({
      httpMonitors: [{ ...http, statusCodeAssertions: numbers, bodyAssertions: strings }],
    });
    const words =
      monitor.rejection === null ? monitor.assertions.map(({ comparator }) => comparator) : [];
    expect(words).toEqual([
      "eq",
      "neq",
      "gt",
      "gte",
      "lt",
      "lte",
      "contains",
      "not_contains",
      "eq",
      "neq",
      "empty",
      "not_empty",
      "gt",
      "gte",
      "lt",
      "lte",
    ]);
    const records = [1, 2, 3, 4].map((comparator) => ({ record: "mx", target: "x", comparator }));
    expect(
      only({
        dnsMonitors: [{ id: "d", uri: "a.test", periodicity: "1m", recordAssertions: records }],
      }),
    ).toMatchObject({
      target: { types: ["MX"] },
      assertions: ["eq", "neq", "contains", "not_contains"].map((comparator) => ({ comparator })),
    });
  });

  const broken: Record<string, [Init, string]> = {
    "an invalid URL": [{ httpMonitors: [{ ...http, url: "http://" }] }, "url is not a valid URL"],
    "an invalid port": [
      { tcpMonitors: [{ id: "t", uri: "a:0", periodicity: "1m" }] },
      "uri has port 0",
    ],
    "an unknown record type": [
      {
        dnsMonitors: [
          {
            id: "d",
            uri: "a.test",
            periodicity: "1m",
            recordAssertions: [{ record: "SRV", target: "x", comparator: 1 }],
          },
        ],
      },
      'record_assertions[0].record must be one of A, AAAA, CNAME, MX, TXT, NS, not "SRV"',
    ],
    "an odd periodicity": [
      { httpMonitors: [{ ...http, periodicity: "7s" }] },
      "periodicity must be one of 10s, 30s",
    ],
    "a header with a line break": [
      { httpMonitors: [{ ...http, headers: [{ key: "A", value: "b\nsecret" }] }] },
      "headers[0].value holds a line break",
    ],
  };
  test.each(Object.entries(broken))(
    "keeps a monitor with %s as one that says why it cannot run",
    (_name, [response, sentence]) => {
      const good = { id: "good", uri: "b:1", periodicity: "1m" };
      const { monitors } = read({
        ...response,
        tcpMonitors: [...(response.tcpMonitors ?? []), good],
      });
      const bad = monitors.find(({ id }) => id !== "good");
      expect(bad?.rejection).toMatchObject({ phase: "config" });
      expect(bad?.rejection?.message).toMatch(/^Invalid configuration: /);
      expect(bad?.rejection?.message).toContain(sentence);
      expect(bad?.rejection?.message).not.toContain("secret");
      expect(monitors.find(({ id }) => id === "good")?.rejection).toBeNull();
    },
  );

  test("runs an id that comes twice once, and leaves one without an id out, saying so", () => {
    const { monitors, remarks } = read({ httpMonitors: [http, http, { ...http, id: "" }] });
    expect(monitors).toHaveLength(1);
    expect(remarks).toEqual([
      {
        monitorId: "h",
        monitorName: null,
        field: "id",
        message: "is assigned twice: the monitor runs once",
      },
      {
        monitorId: null,
        monitorName: null,
        field: "id",
        message: "is missing in a monitor: it is left out",
      },
    ]);
  });

  test("keeps a bounded number of remarks, and counts the rest", () => {
    const nameless = Array.from({ length: remarksKeptMax + 7 }, () => ({ ...http, id: "" }));
    const { remarks } = read({ httpMonitors: nameless });
    expect(remarks).toHaveLength(remarksKeptMax + 1);
    expect(remarks.at(-1)?.message).toBe("have 7 more remarks than the 1000 that are kept");
  });
});

describe("what a service has already let pass runs as well as it can", () => {
  const dns = { id: "d", uri: "a.test", periodicity: "1m" };
  const tcp = { id: "t", uri: "a.test:443", periodicity: "1m" };
  const status = (comparator: number, target: bigint) => ({ comparator, target });
  const header = (key: string, value = "v") => ({ key, value });
  const rows: Record<string, { given: Init; runs: object; remarks?: readonly string[] }> = {
    "an assertion on NS": {
      given: {
        dnsMonitors: [
          { ...dns, recordAssertions: [{ record: "ns", target: "n.test", comparator: 1 }] },
        ],
      },
      runs: {
        target: { types: ["NS"] },
        assertions: [{ kind: "record", record: "NS", comparator: "eq", target: "n.test" }],
      },
    },
    "a header row without a name": {
      given: { httpMonitors: [{ ...http, headers: [header(""), header("X-A")] }] },
      runs: { target: { headers: [header("X-A")] } },
      remarks: ["headers[0].key is required: the header is not sent"],
    },
    "an OTLP header row without a name, and one that cannot be sent": {
      given: {
        httpMonitors: [
          {
            ...http,
            otelConfig: {
              endpoint: "https://otlp.test",
              headers: [header(""), header("a b"), header("X-A", "a\nb"), header("X-B")],
            },
          },
        ],
      },
      runs: { otel: { endpoint: "https://otlp.test", headers: [header("X-B")] } },
      remarks: [
        "otlp_headers[0].key is required: the header is not sent",
        "otlp_headers[1].key is not a valid header name: the header is not sent",
        "otlp_headers[2].value holds a line break or another character that is not allowed in a header: the header is not sent",
      ],
    },
    "headers that belong to the framing": {
      given: {
        httpMonitors: [
          {
            ...http,
            headers: [
              "Content-Length",
              "Transfer-Encoding",
              "TE",
              "Expect",
              "Keep-Alive",
              "Upgrade",
              "Connection",
              "Trailer",
              "Proxy-Connection",
              "X-Kept",
            ].map((key) => header(key)),
          },
        ],
      },
      runs: { target: { headers: [header("X-Kept")] } },
      remarks: [
        ...["Content-Length", "Transfer-Encoding", "TE", "Expect", "Keep-Alive", "Upgrade"].map(
          (key, index) =>
            `headers[${index}].key ${key} is set by Picket itself: the header is not sent`,
        ),
        "headers[6].value of Connection can only be close or keep-alive: the header is not sent",
        "headers[7].key Trailer is set by Picket itself: the header is not sent",
        "headers[8].key Proxy-Connection is set by Picket itself: the header is not sent",
      ],
    },
    ...Object.fromEntries(
      ["host:4318", "grpc://otlp.test:4317", "rubbish"].map((endpoint) => [
        `an OTLP endpoint ${endpoint}`,
        {
          given: { tcpMonitors: [{ ...tcp, otelConfig: { endpoint, headers: [] } }] },
          runs: { otel: null },
          remarks: [
            expect.stringMatching(
              /^otlp_endpoint (is not a valid URL|must begin with .*): the check runs, and its metrics are not exported$/,
            ),
          ],
        },
      ]),
    ),
    "spaces around a URL": {
      given: { httpMonitors: [{ ...http, url: " https://a.test/x \n" }] },
      runs: { target: { url: "https://a.test/x" }, uri: " https://a.test/x \n" },
    },
    "spaces around host and port": {
      given: { tcpMonitors: [{ ...tcp, uri: " a.test:443 " }] },
      runs: { target: { host: "a.test", port: 443 } },
    },
    "spaces around a domain name": {
      given: { dnsMonitors: [{ ...dns, uri: "\ta.test " }] },
      runs: { target: { name: "a.test" } },
    },
    "25 headers and 12 assertions of a body": {
      given: {
        httpMonitors: [
          {
            ...http,
            headers: Array.from({ length: 25 }, (_, n) => header(`X-${n}`)),
            bodyAssertions: Array.from({ length: 12 }, () => ({ target: "x", comparator: 1 })),
          },
        ],
      },
      runs: {
        target: { headers: Array.from({ length: 25 }, (_, n) => header(`X-${n}`)) },
        assertions: Array.from({ length: 12 }, () => ({ kind: "body" })),
      },
    },
    "status targets that no status has": {
      given: {
        httpMonitors: [{ ...http, statusCodeAssertions: [status(5, 600n), status(3, -1n)] }],
      },
      runs: {
        assertions: [
          { comparator: "lt", target: 600 },
          { comparator: "gt", target: -1 },
        ],
      },
    },
    "a timeout over the maximum": {
      given: { httpMonitors: [{ ...http, timeout: 180_000n }] },
      runs: { timeout: 120_000 },
      remarks: ["timeout must be in 0 to 120000, not 180000: 120000 is used"],
    },
    "numbers that mean nothing": {
      given: { httpMonitors: [{ ...http, timeout: -1n, retry: 99n, degradedAt: -5n }] },
      runs: { timeout: 45_000, retry: 10, degradedAt: null },
      remarks: [
        "timeout must be in 0 to 120000, not -1: 45000 is used",
        "degraded_at must not be below 0: the monitor has no threshold",
        "retry must be in 0 to 10, not 99: 10 is used",
      ],
    },
    "a comparator that the service could not say": {
      given: {
        httpMonitors: [
          {
            ...http,
            bodyAssertions: [
              { target: "x", comparator: 0 },
              { target: "y", comparator: 1 },
            ],
          },
        ],
      },
      runs: { assertions: [{ kind: "body", comparator: "contains", target: "y" }] },
      remarks: [
        'body_assertions[0].comparator must be one of contains, not_contains, eq, neq, empty, not_empty, gt, gte, lt, lte, not "unspecified": the assertion is left out, and the others judge',
      ],
    },
    "a comparator of the future": {
      given: { httpMonitors: [{ ...http, statusCodeAssertions: [future] }] },
      runs: { assertions: [] },
      remarks: [
        'status_code_assertions[0].comparator must be one of eq, neq, gt, gte, lt, lte, not "comparator 42": the assertion is left out, and the others judge',
        "status_code_assertions are all left out: the status must be 200 to 299",
      ],
    },
    "a record's comparator that is unknown": {
      given: {
        dnsMonitors: [{ ...dns, recordAssertions: [{ record: "MX", target: "x", comparator: 0 }] }],
      },
      runs: { target: { types: ["MX"] }, assertions: [] },
      remarks: [expect.stringContaining('not "unspecified": the assertion is left out')],
    },
    "an assertion on a header without a name": {
      given: {
        httpMonitors: [{ ...http, headerAssertions: [{ key: "", target: "x", comparator: 1 }] }],
      },
      runs: { assertions: [] },
      remarks: [expect.stringMatching(/^header_assertions\[0\]\.key .* left out/)],
    },
    "a body with a method that sends none": {
      given: { httpMonitors: [{ ...http, method: "DELETE", body: "planted" }] },
      runs: { target: { method: "DELETE", body: "" } },
      remarks: ["body is not sent with DELETE: only POST, PUT, PATCH send one"],
    },
    "a header value beyond ASCII": {
      given: { httpMonitors: [{ ...http, headers: [header("X-Name", "Zoë 東京")] }] },
      runs: { target: { headers: [header("X-Name", "Zoë 東京")] } },
    },
  };
  test.each(Object.entries(rows))("%s", (_name, { given, runs, remarks = [] }) => {
    const read = only(given);
    expect(read).toMatchObject({ rejection: null, ...runs });
    const made = readAssignment(create(MonitorsResponseSchema, given)).remarks;
    expect(made.map(({ field, message }) => `${field} ${message}`)).toEqual(remarks);
    expect(made.every(({ monitorId }) => monitorId === read.id)).toBe(true);
    expect(JSON.stringify(made)).not.toContain("planted");
  });

  test("a monitor without a rhythm is not run, and a remark says so", () => {
    const { monitors, remarks } = read({
      httpMonitors: [{ ...http, name: "Sh\u202eop", periodicity: "other" }],
    });
    expect(monitors).toEqual([]);
    expect(remarks).toEqual([
      {
        monitorId: "h",
        monitorName: "Sh\\u{202e}op",
        field: "periodicity",
        message: 'is "other": the monitor is not run',
      },
    ]);
  });
});

describe("what monitors have alike", () => {
  const headers = [{ key: "authorization", value: "Bearer x" }];
  const otelConfig = { endpoint: "https://collector.test/", headers };
  const statusCodeAssertions = [{ target: 200n, comparator: 1 }];
  const monitors = read({
    httpMonitors: ["a", "b", "c"].map((id) => ({
      ...http,
      id,
      headers: id === "c" ? [...headers, { key: "x-shop", value: "1" }] : headers,
      statusCodeAssertions,
      otelConfig,
    })),
  }).monitors.flatMap((one) =>
    one.rejection === null && one.target.kind === "http" ? [{ ...one, target: one.target }] : [],
  );
  test.each([
    ["as it was read", monitors],
    ["after it crossed to another thread", structuredClone(monitors)],
  ])("is kept once, %s", (_, [a, b, c]) => {
    expect(b!.target.headers).toBe(a!.target.headers);
    expect(c!.target.headers[0]).toBe(a!.target.headers[0]);
    expect(b!.assertions).toBe(a!.assertions);
    expect(b!.otel).toBe(a!.otel);
    expect(c!.target.headers).toHaveLength(2);
  });
});

test("OTLP of a DNS monitor is read from the number of before if the present one is absent", () => {
  const config = (endpoint: string) => ({ endpoint, headers: [] });
  const otelOf = (fields: object) => {
    const [one] = read({
      dnsMonitors: [{ id: "d", uri: "a.test", periodicity: "30s", ...fields }],
    }).monitors;
    return one?.rejection === null ? one.otel?.endpoint : one;
  };
  const [before, now] = [config("https://before.test/"), config("https://now.test/")];
  expect(otelOf({ otelConfigBefore: before })).toBe("https://before.test/");
  expect(otelOf({ otelConfigBefore: before, otelConfig: now })).toBe("https://now.test/");
  const bytes = Buffer.from("1a06a201030a016f", "hex");
  expect(fromBinary(MonitorsResponseSchema, bytes).dnsMonitors).toMatchObject([
    { otelConfigBefore: { endpoint: "o" } },
  ]);
});

test("changes that are made to a whole at once are the same as made one after the other", () => {
  const id = constantFrom("a", "b", "c", "d", "e");
  const one = record({ id, name: constantFrom("first", "second", "third") });
  const message = record({
    httpMonitors: array(one, { maxLength: 3 }),
    tcpMonitors: array(one, { maxLength: 3 }),
    removed: array(id, { maxLength: 2 }),
    region: constantFrom("office", "attic"),
    slot: id,
  }).map(({ slot, ...rest }) =>
    create(MonitorsResponseSchema, {
      ...rest,
      newestSlots: { [slot]: BigInt(rest.removed.length) },
    }),
  );
  const history = property(message, array(message, { maxLength: 6 }), (whole, changes) => {
    const inTurn = changes.reduce((made, change) => withChanges(made, [change]), whole);
    expect(withChanges(whole, changes)).toEqual(inTurn);
    const [last] = changes.slice(-1);
    if (last === undefined) return;
    // A monitor that the last change names is only as that says, and one that it removes is not there.
    const { httpMonitors } = withChanges(whole, changes);
    const touched = new Set([...last.removed, ...last.tcpMonitors.map((tcp) => tcp.id)]);
    const own = new Set(last.httpMonitors.map((http) => http.id));
    expect(httpMonitors.filter((http) => own.has(http.id))).toEqual(last.httpMonitors);
    expect(httpMonitors.some((http) => touched.has(http.id) && !own.has(http.id))).toBe(false);
  });
  assert(history, { numRuns: 300, seed: 7 });
});

test("thousands of changes are made to thousands of monitors without a look at each for each", () => {
  const monitors = 2_000;
  let looks = 0;
  const whole = create(MonitorsResponseSchema, {
    httpMonitors: Array.from({ length: monitors }, (_, n) => ({ id: `${n}` })),
  });
  for (const [n, one] of whole.httpMonitors.entries())
    Object.defineProperty(one, "id", {
      get: () => {
        looks += 1;
        return `${n}`;
      },
    });
  const changes = Array.from({ length: monitors }, (_, n) =>
    create(MonitorsResponseSchema, { httpMonitors: [{ id: `${n}`, name: "changed" }] }),
  );
  const made = withChanges(whole, changes);
  expect(made.httpMonitors.map(({ name }) => name)).toEqual(changes.map(() => "changed"));
  expect(looks).toBeLessThan(4 * monitors);
});
