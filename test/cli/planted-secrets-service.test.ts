import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { runApply } from "#cli/apply/apply-command";
import { tunnels } from "../servers/proxies.ts";
import { tcpPeer } from "../servers/scripted.ts";
import { captureIo } from "../support/captured-io.ts";
import { type RunningPicket, startPicket } from "../support/running-picket.ts";
import { temporaryFolder } from "../support/running-service.ts";

/** A monitors file with a secret wherever one can stand. */
const monitors = `
http_monitors:
  - name: web
    url: http://planted-user:planted-word@127.0.0.1:1/?key=planted-query
    periodicity: 30s
    active: true
    body: planted-body
    headers: [{ key: authorization, value: Bearer planted-header }]
    otlp_endpoint: http://planted-name:planted-pass@127.0.0.1:1/?key=planted-endpoint
    otlp_headers: { x-key: planted-otlp }
`;

/** The same file with mistakes beside the secrets, and in them. */
const mistaken: readonly string[] = [
  monitors.replace("active: true", "active: planted"),
  monitors.replace("periodicity: 30s", "periodicity: 3s"),
  monitors.replace("Bearer planted-header", "*planted-header"),
  monitors.replace("Bearer planted-header", "!planted-header x"),
  monitors.replace("Bearer planted-header", "&planted-header"),
  monitors.replace("Bearer planted-header", "|planted-header"),
  monitors.replace("Bearer planted-header", "%planted-header"),
  monitors.replace("Bearer planted-header", "@planted-header"),
  monitors.replace("Bearer planted-header", '"planted-header'),
  monitors.replace("Bearer planted-header", '"planted\\qheader"'),
  monitors.replace("Bearer planted-header", "planted: header: more"),
  monitors.replace("Bearer planted-header", "{ planted-header }"),
  monitors.replace("Bearer planted-header", '"planted\\nheader"'),
  monitors.replace("http://planted-user", "ftp://planted-user"),
  monitors.replace("127.0.0.1:1/?key", "127.0.0.1:0/?key"),
  monitors.replace("127.0.0.1:1/?key", "[planted/?key"),
  monitors.replace("http://planted-name", "planted-name"),
  "tcp_monitors: [{ name: db, uri: 'planted-user@db:5432', periodicity: 1m }]",
  "tcp_monitors: [{ name: db, uri: 'tcp://planted-user:planted-word@db:5432', periodicity: 1m }]",
  "tcp_monitors: [{ name: db, uri: 'db?key=planted:5432', periodicity: 1m }]",
  "tcp_monitors: [{ name: db, uri: '[planted-user@::1]:5432', periodicity: 1m }]",
  "dns_monitors: [{ name: ns, uri: 'dns://planted-user@server/a.test', periodicity: 1m }]",
  "dns_monitors: [{ name: ns, uri: 'dns:planted-user@a.test', periodicity: 1m }]",
  "dns_monitors: [{ name: ns, uri: 'dns:a.test?server=planted-user@b', periodicity: 1m }]",
];

const monitor = {
  name: "web",
  url: "http://planted-user:planted-word@127.0.0.1:1/?key=planted-query",
  periodicity: "30s",
  headers: [{ key: "authorization", value: "Bearer planted-header" }],
  openTelemetry: {
    endpoint: "http://127.0.0.1:1/?key=planted-endpoint",
    headers: [{ key: "x-key", value: "planted-otlp" }],
  },
};

/** Bodies that no call takes, with secrets in what is wrong with them. */
const refusedBodies: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  ...[
    { ...monitor, periodicity: "3s" },
    { ...monitor, headers: "planted-header" },
    { ...monitor, headers: [{ key: "a", value: "planted\nheader" }] },
    { ...monitor, headers: [{ key: "planted header", value: "" }] },
    { ...monitor, headers: { "planted-header": "planted-header" } },
    { ...monitor, headers: `planted-${"long ".repeat(1_000)}` },
    { ...monitor, url: ["planted-query"] },
    { ...monitor, url: "planted-query" },
    { ...monitor, url: "ftp://planted-user:planted-word@127.0.0.1" },
    { ...monitor, timeout: "planted-query" },
    { ...monitor, openTelemetry: "planted-otlp" },
    { ...monitor, openTelemetry: { ...monitor.openTelemetry, endpoint: "planted-endpoint" } },
  ].map((one) => JSON.stringify({ monitor: one })),
  '{"monitor": planted-query',
  '{"monitor": {"headers": [{"value": "planted-header',
  '{"planted-query": 1, "planted-query": 2, "monitor": planted}',
  "planted-query",
  JSON.stringify("planted-query"),
];

interface Told {
  readonly status: number;
  readonly text: string;
}

/** Calls of every kind that the service refuses: each answer, with its headers. */
async function refusals(url: string, key: string, token: string): Promise<readonly Told[]> {
  const ask = async (to: string, init: RequestInit): Promise<Told> => {
    const response = await fetch(`${url}${to}`, { method: "POST", ...init });
    const text = await response.text();
    return { status: response.status, text: `${JSON.stringify([...response.headers])} ${text}` };
  };
  const create = "/monitor.v1.MonitorService/CreateHTTPMonitor";
  const json = { "content-type": "application/json" };
  const proto = { "content-type": "application/proto" };
  const mine = { "x-service-key": key };
  const calls = "/private_location.v1.PrivateLocationService";
  return Promise.all([
    ...refusedBodies.map((body) => ask(create, { headers: { ...json, ...mine }, body })),
    ...refusedBodies.map((body) =>
      ask(create, {
        headers: { ...json, ...mine, "content-encoding": "gzip" },
        body: gzipSync(body),
      }),
    ),
    ask(create, { headers: { ...proto, ...mine }, body: "planted-query" }),
    ask(create, { headers: { ...json, ...mine, "content-encoding": "gzip" }, body: "planted" }),
    ask(create, { headers: { ...json, "x-service-key": "planted-key" }, body: "{}" }),
    ask(create, { headers: { ...json, "x-service-token": token }, body: "{}" }),
    ask("/monitor.v1.MonitorService/GetMonitor", { headers: { ...json, ...mine }, body: "{}" }),
    ask(`${calls}/Monitors`, { headers: { ...json, ...mine }, body: "{}" }),
    ask(`${calls}/Monitors`, { headers: { ...json, "x-service-token": "planted" }, body: "{}" }),
    ask(`${calls}/Heartbeat?token=${token}`, { headers: json, body: "{}" }),
    ask(`${calls}/IngestHTTP`, {
      headers: { ...json, "x-service-token": token },
      body: JSON.stringify({ monitorId: "m", latency: "planted-query", url: "planted-query" }),
    }),
    ask(`${calls}/IngestHTTP`, {
      headers: { ...json, "x-service-token": token },
      body: JSON.stringify({ monitorId: "m", url: "planted-query", message: "planted-query" }),
    }),
    ask(`${calls}/Watch?key=planted-query`, { headers: { "x-service-token": token } }),
    ask("/v1/whoami?key=planted-query", { headers: mine }),
    ask("/planted-query?key=planted-query", { headers: mine }),
  ]);
}

/** A command's whole output, and its exit code. */
async function ran(picket: RunningPicket): Promise<readonly [number | null, string]> {
  await new Promise((resolve) => picket.child.once("close", resolve));
  return [picket.child.exitCode, picket.output()];
}

const linesWith = (text: string, word: string): readonly string[] =>
  text.split("\n").filter((line) => line.includes(word));

test("what is secret is in no output, answer or log of service and apply, but for the key and the token where they are made", async () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "monitors.yaml");
  const database = path.join(folder, "service.sqlite");
  const debug = { PICKET_LOG_LEVEL: "debug" };
  const service = startPicket(
    ["service", "--database", database, "--listen", "127.0.0.1:0"],
    debug,
  );
  const [, url = "", key = ""] = await service.said(/SERVICE_API_URL=(\S+) SERVICE_API_KEY=(\S+)/);
  await using proxy = await tcpPeer(tunnels([]));
  const env = {
    ...debug,
    SERVICE_API_URL: url.replace("http://", "http://planted-name:planted-pass@"),
    SERVICE_API_KEY: key,
    PICKET_SERVICE_PROXY: `http://u:planted-password@127.0.0.1:${proxy.port}`,
  };
  const args = ["-f", file, "--location", "attic"];
  writeFileSync(file, monitors);
  const [code, applied] = await ran(startPicket(["apply", ...args], env));
  expect([code, applied]).toEqual([0, expect.stringContaining("Applied.")]);
  const [, token = ""] = /token of private location "[^"]*": (\S+)/.exec(applied) ?? [];
  expect(token).toMatch(/^pkt_loc_/);
  expect(linesWith(applied, token)).toHaveLength(1);
  expect(linesWith(applied, key)).toEqual([]);

  /** In this process, for there are many of them. */
  const failed = async (text: string, more: Readonly<Record<string, string>>) => {
    writeFileSync(file, text);
    const io = captureIo({ ...env, ...more });
    expect([await runApply(args, io), text, more]).toEqual([1, text, more]);
    return io.written.stdout() + io.written.stderr();
  };
  let output = applied;
  const failing: Readonly<Record<string, string>>[] = [
    { SERVICE_API_KEY: "planted-key" },
    { SERVICE_API_KEY: "planted key" },
    { SERVICE_API_URL: "http://planted-name:planted-pass@127.0.0.1:1" },
    { SERVICE_API_URL: "https://planted-name:planted-pass@127.0.0.1:1/?key=planted-query" },
    { PICKET_SERVICE_PROXY: "http://u:planted-password@127.0.0.1:1" },
    { PICKET_SERVICE_PROXY: "socks://u:planted-password@127.0.0.1:1" },
    { PICKET_CLIENT_KEY_FILE: file, PICKET_CLIENT_CERT_FILE: file, PICKET_CA_FILE: file },
  ];
  for (const more of failing) output += await failed(monitors, more);
  for (const text of mistaken) output += await failed(text, {});
  for (const words of [
    ["key", "list"],
    ["key", "revoke", "planted-key"],
  ])
    output += (await ran(startPicket(["service", ...words, "--database", database], debug)))[1];
  expect(linesWith(output, key)).toEqual([]);
  expect(linesWith(output.replace(applied, ""), token)).toEqual([]);

  const answers = await refusals(url, key, token);
  expect(answers.filter(({ status }) => status < 400 || status >= 500)).toEqual([]);
  const agent = startPicket(["agent"], {
    ...debug,
    PICKET_TOKEN: token,
    SERVICE_API_URL: url,
    PICKET_STATE_DIR: path.join(folder, "state"),
    PICKET_LISTEN: "off",
  });
  await agent.said(/a monitor fails/);
  expect(await agent.stop()).toBe(0);
  expect(await service.stop()).toBe(0);
  expect(linesWith(service.output(), key)).toEqual([
    expect.stringContaining("SERVICE_API_KEY="),
    expect.stringContaining("sign in with this key"),
  ]);

  const everything = [output, service.output(), ...answers.map(({ text }) => text)].join("\n");
  expect(linesWith(everything, "planted")).toEqual([]);
  expect(linesWith(service.output() + answers.map(({ text }) => text).join("\n"), token)).toEqual(
    [],
  );
  // At rest there are hashes of both.
  for (const kept of globSync(`${database}*`))
    for (const secret of [key, token])
      expect(readFileSync(kept, "latin1").includes(secret)).toBe(false);
});
