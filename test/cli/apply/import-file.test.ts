import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { main } from "../../../src/main.ts";
import { captureIo } from "../../support/captured-io.ts";
import { readTexts } from "../../support/configuration-text.ts";
import { temporaryFolder } from "../../support/running-service.ts";

/** Imports a file of these lines, and reads what is printed as a file of configuration. */
async function imported(text: string) {
  const file = path.join(temporaryFolder(), "openstatus.yaml");
  writeFileSync(file, text);
  const io = captureIo({});
  const code = await main(["import", file], io);
  const out = io.written.stdout();
  return {
    code,
    out,
    said: io.written.stderr().replaceAll(file, "FILE"),
    read: readTexts({ out }),
  };
}

const monitors = `
uptime-monitor:
  name: "Uptime Monitor"
  description: "An example"
  frequency: "10m"
  active: true
  public: true
  regions: [iad, koyeb_fra, railway_us-east4-eqdc4a, private]
  retry: 2
  timeout: 20000
  degradedAfter: 900
  kind: http
  request:
    url: https://shop.test/health
    method: POST
    followRedirects: false
    headers:
      User-Agent: openstatus
    body: '{"a":1}'
  assertions:
    - { kind: statusCode, compare: eq, target: 200 }
    - { kind: textBody, compare: not_eq, target: broken }
    - { kind: header, compare: contains, key: content-type, target: json }
    - { kind: dnsRecord, compare: eq, target: x }
  openTelemetry:
    endpoint: https://otlp.test/v1/metrics
    headers: { authorization: Bearer x }
  notify: [ops]
database:
  frequency: 1m
  regions: [ams]
  kind: tcp
  request: { host: "2001:db8::7", port: 5432 }
cron:
  frequency: 1m
  kind: heartbeat
`;

describe("picket import of an openstatus.yaml", () => {
  test("prints the same monitors as a file for picket apply, and names what has no place in it", async () => {
    const { code, said, read } = await imported(monitors);
    expect(code).toBe(0);
    expect(read.ok && read.configuration.monitors).toMatchObject([
      {
        kind: "http",
        name: "Uptime Monitor",
        description: "An example",
        periodicity: "10m",
        active: true,
        public: true,
        retry: 2,
        timeout: 20_000,
        degradedAt: 900,
        url: "https://shop.test/health",
        method: "POST",
        body: '{"a":1}',
        followRedirects: false,
        regions: ["iad", "hostb-fra", "hostc-us-east4"],
        headers: [{ key: "User-Agent", value: "openstatus" }],
        statusCodeAssertions: [{ comparator: "eq", target: 200 }],
        bodyAssertions: [{ comparator: "neq", target: "broken" }],
        headerAssertions: [{ comparator: "contains", key: "content-type", target: "json" }],
        otel: { headers: [{ key: "authorization", value: "Bearer x" }] },
      },
      { kind: "tcp", name: "database", uri: "[2001:db8::7]:5432", active: false },
    ]);
    expect(said.trim().split("\n")).toEqual([
      'picket import: "Uptime Monitor": notify is not known to Picket, and is left out',
      'picket import: "Uptime Monitor": the region private is left out: assign the monitor to a private location',
      'picket import: "Uptime Monitor": an assertion of the kind dnsRecord is left out',
      'picket import: "cron" is neither an http nor a tcp monitor, and is left out',
    ]);
  });

  test.each(["", ", port: null", ", port: postgres"])(
    "names a TCP monitor whose request has no port (%j), and picket apply refuses it until it has one",
    async (port) => {
      const { code, said, read } = await imported(
        `database: { frequency: 1m, kind: tcp, request: { host: db.test${port} } }\n`,
      );
      expect(code).toBe(0);
      expect(said).toBe(
        'picket import: "database": its request has no port: add one to its uri, as in db.test:5432\n',
      );
      const mistakes = read.ok ? [] : (read.mistakes.get("out") ?? []);
      expect(mistakes.map(({ message }) => message)).toEqual([
        "must be host:port, for example db.example.com:5432, with an IPv6 address in brackets",
      ]);
    },
  );

  test("says of any other file what it is, and prints nothing", async () => {
    const { code, out, said } = await imported(
      "endpoints:\n  - { name: a, url: https://a.test }\n",
    );
    expect([code, out]).toEqual([1, ""]);
    expect(said).toContain(
      "FILE is a configuration of Gatus, which Picket does not read: write each",
    );
    expect((await imported("http_monitors: []\n")).said).toContain(
      "FILE is not an openstatus.yaml",
    );
    expect((await imported("a: [\n")).said).toMatch(/FILE:\d+:\d+: this is not valid YAML/);
  });

  test.each([["import"], ["import", "http"], ["import", "a", "b", "c"]])(
    "%j is wrong usage",
    async (...args) => {
      expect(await main(args, captureIo({}))).toBe(64);
    },
  );
});

test.each([
  [monitors, "is a file of the openstatus command line; picket import FILE converts it"],
  ["endpoints:\n  - { name: a, url: https://a.test }\n", "a configuration of Gatus"],
  ['{"version": "1.23.0", "monitorList": [{"id": 1}]}', "a backup of Uptime Kuma"],
])("a file of another program is recognised, with the next step", (text, said) => {
  const read = readTexts({ "a.yaml": text });
  const mistakes = read.ok ? [] : (read.mistakes.get("a.yaml") ?? []);
  expect(mistakes.map(({ message }) => message)).toEqual([expect.stringContaining(said)]);
});
