import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import packet from "dns-packet";
import dgram from "node:dgram";
import {
  HeartbeatResponseSchema,
  IngestBatchRequestSchema,
  IngestBatchResponseSchema,
  MonitorsResponseSchema,
  Receipt,
} from "#contract/private_location/v1/private_location_pb";
import {
  HTTPMethod,
  Periodicity,
  StringComparator,
} from "#contract/openstatus/monitor/v1/monitor_pb";
import { connectManagement, type Management } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import {
  assignedHttp,
  guessing,
  hostileAssignment,
  places,
  referenceTo,
  ways,
} from "./hostile-monitors.ts";
import { foundIn, type PlantedSecret, plantedSecrets } from "./planted-secrets.ts";
import { recordedWire, type Usurper } from "./recorded-wire.ts";

/*
 * The attack itself, run in a network that takeover.test.ts makes: an operator with an agent and 160 secrets, and an attacker
 * who has the service's process, its database and its keys. Writes what came of it as a line of JSON.
 */

const picket = path.resolve(import.meta.dirname, "../../bin/picket");
const folder = mkdtempSync(path.join(tmpdir(), "picket-takeover-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, text: string): string => {
  const written = path.join(folder, name);
  writeFileSync(written, text, { mode: 0o600 });
  return written;
};

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  said(pattern: RegExp, from?: number): Promise<RegExpExecArray>;
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Looks until it holds, for two minutes: what did not come by then is in the result. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let looks = 0; looks < 6_000 && !(await holds()); looks += 1) await sleep(20);
}

function started(args: readonly string[], env: Readonly<Record<string, string>>): Running {
  const child = spawn(picket, args, { env: { ...process.env, ...env } });
  const exited = once(child, "exit");
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      text += String(chunk);
    });
  process.on("exit", () => child.kill("SIGKILL"));
  const said: Running["said"] = async (pattern, from = 0) => {
    const found = (): RegExpExecArray | null => pattern.exec(text.slice(from));
    await until(() => found() !== null || child.exitCode !== null);
    const match = found();
    if (match !== null) return match;
    throw new Error(`${args.join(" ")} did not say ${pattern}: ${text.slice(-3_000)}`);
  };
  return {
    child,
    output: () => text,
    said,
    end: async (signal) => {
      child.kill(signal);
      await exited;
    },
  };
}

/** Whoever the agent reaches: what each place heard. */
const heard = { allowed: "", elsewhere: "", names: "" };

/** The operator's target: it repeats all that it was sent, and can be made to redirect. */
async function allowedTarget(): Promise<void> {
  const server = http.createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const text = `${request.url}\n${JSON.stringify(request.headers)}\n${Buffer.concat(parts).toString()}`;
      const user = Buffer.from((request.headers.authorization ?? "").slice(6), "base64");
      heard.allowed += `${text}\n${decodeURIComponent(request.url ?? "")}\n${user.toString("utf8")}\n`;
      if (request.url?.startsWith("/redirect") === true) {
        const to = request.url === "/redirect-inner" ? places.inner : `${places.allowed}:8002`;
        response.writeHead(307, { location: `http://${to}${request.url.slice(9)}` });
        return void response.end();
      }
      const token = String(request.headers["x-token"] ?? "").replaceAll(/[^\x20-\x7e]/g, "?");
      response.writeHead(200, { "x-echo": token });
      response.end(text);
    });
  });
  server.listen(places.allowedPort, places.allowed);
  await once(server, "listening");
}

/** All that hears what it should not: the attacker's machine, the inner one, and another port of the allowed one. */
async function listeners(): Promise<void> {
  const ports = [22, 53, 80, 443, 8443, 8787, 50_051];
  const all = [
    [places.allowed, places.otherPort] as const,
    ...[places.inner, places.attacker, "127.0.0.1"].flatMap((host) =>
      ports.map((port) => [host, port] as const),
    ),
  ];
  for (const [host, port] of all) {
    const server = net.createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (bytes) => {
        heard.elsewhere += bytes.toString("latin1");
        socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      });
    });
    server.listen(port, host);
    await once(server, "listening");
  }
}

/** Names of the attacker's: of the allowed machine, of the inner one, and one that turns from one to the other. */
async function nameServer(): Promise<void> {
  const server = dgram.createSocket("udp4");
  let turns = 0;
  server.on("message", (bytes, peer) => {
    const query = packet.decode(bytes);
    const [question] = query.questions ?? [];
    const name = question?.name.toLowerCase() ?? "";
    heard.names += `${name}\n`;
    turns += 1;
    const turned = turns % 2 === 0 ? places.inner : places.allowed;
    const data =
      name === "inner.test" ? places.inner : name === "turning.test" ? turned : places.allowed;
    const answers =
      question?.type === "A" ? [{ type: "A" as const, name: question.name, ttl: 0, data }] : [];
    const reply = {
      type: "response" as const,
      id: query.id ?? 0,
      flags: packet.RECURSION_AVAILABLE,
    };
    server.send(
      packet.encode({ ...reply, questions: query.questions ?? [], answers }),
      peer.port,
      peer.address,
    );
  });
  server.bind(53, places.nameServer);
  await once(server, "listening");
}

/** The operator's monitors: 20 of them name eight secrets each, in every part of a request. */
const operatorsFile = (secrets: readonly PlantedSecret[]): string =>
  JSON.stringify({
    http_monitors: Array.from({ length: secrets.length / 8 }, (_, at) => {
      const [a, b, c, d, e, f, g, h] = secrets
        .slice(at * 8, at * 8 + 8)
        .map(({ name }) => referenceTo(name));
      return {
        name: `shop ${at}`,
        url: `http://${a}:${b}@${places.allowed}:${places.allowedPort}/${c}?key=${d}`,
        periodicity: "30s",
        active: true,
        retry: 0,
        method: "POST",
        body: `{"token":"${e}"}`,
        headers: [
          { key: "X-Token", value: `Bearer ${f}` },
          { key: "X-More", value: g },
          { key: "X-Last", value: h },
        ],
        degraded_at: 1,
        ...(at % 2 === 0
          ? { header_assertions: [{ key: "x-echo", comparator: "eq", target: "nothing" }] }
          : {}),
      };
    }),
  });

/** What the network counted of the agent's packets, by where they went. */
function packets(): Readonly<Record<string, number>> {
  const count = (program: string): readonly (readonly [string, number])[] =>
    execFileSync(program, ["--list", "OUTPUT", "--verbose", "--exact", "--numeric"], {
      encoding: "utf8",
    })
      .split("\n")
      .flatMap((line) => {
        const [, number, place] = /^\s*(\d+)\s.*\/\* (\S+) \*\//.exec(line) ?? [];
        return number === undefined || place === undefined ? [] : [[place, Number(number)]];
      });
  return Object.fromEntries([...count("iptables"), ...count("ip6tables")]);
}

const secrets = plantedSecrets(160);
const names = secrets.map(({ name }) => name);
await allowedTarget();
await listeners();
await nameServer();

/* The operator's day: a service, an agent next to its secrets, monitors that name them. */

const database = path.join(folder, "service.sqlite");
const real = { host: places.realService, port: 8787 };
const serviceArgs = [
  "service",
  "--database",
  database,
  "--allow-http",
  "--listen",
  `${real.host}:${real.port}`,
];
const debug = { PICKET_LOG_LEVEL: "debug" };
let service = started(serviceArgs, debug);
const services = [service];
const [, key = ""] = await service.said(/SERVICE_API_KEY=(\S+)/);
const direct = `http://${real.host}:${real.port}`;
await using wire = await recordedWire({ host: places.service, port: 8787 }, real);
const apply = started(
  ["apply", "-f", file("shop.yaml", operatorsFile(secrets)), "--location", "office"],
  { SERVICE_API_URL: direct, SERVICE_API_KEY: key, PICKET_ALLOW_HTTP: "1" },
);
const [token = ""] = await apply.said(/pkt_loc_[\w-]+/);
const state = path.join(folder, "state");
const both = {
  ...debug,
  SERVICE_API_URL: wire.url,
  PICKET_TOKEN_FILE: file("token", token),
  PICKET_ALLOW_HTTP: "1",
  PICKET_SECRETS_FILE: file(
    "secrets",
    secrets.map(({ name, value }) => `${name}=${value}\n`).join(""),
  ),
  PICKET_SECRETS_HOSTS_FILE: file(
    "hosts",
    names.map((name) => `${name} http://${places.allowed}:${places.allowedPort}\n`).join(""),
  ),
  PICKET_DNS_SERVERS: places.nameServer,
  PICKET_RESOLVER: "stub",
  PICKET_PLACEMENT: "everywhere",
  PICKET_POLL_INTERVAL: "2s",
  PICKET_HEARTBEAT_INTERVAL: "5s",
  OTEL_METRIC_EXPORT_INTERVAL: "2000",
};
const agent = started(["agent"], {
  ...both,
  PICKET_STATE_DIR: state,
  PICKET_TARGET_DENY: "0.0.0.0/0,::/0",
  PICKET_TARGET_ALLOW: places.allowed,
  PICKET_LISTEN: `${places.page}:8686`,
});
/** Another agent of the location, which may reach everything, but runs only what its operator signed. */
const signer = execFileSync(picket, ["key", "new", path.join(folder, "signer")], {
  encoding: "utf8",
});
const strict = started(["agent"], {
  ...both,
  PICKET_STATE_DIR: path.join(folder, "strict"),
  PICKET_TRUSTED_KEYS: signer.trim(),
  PICKET_LOCATION: "office",
  PICKET_LISTEN: `${places.page}:8687`,
});
await strict.said(/connected to the service/);
await agent.said(/connected to the service/);

const management = connectManagement(direct, key, directWay());
const locationId =
  (await management.locations.listPrivateLocations({})).privateLocations[0]?.id ?? "";
const idsNow = async ({ monitors }: Management): Promise<readonly string[]> =>
  (await monitors.listMonitors({ limit: 100 })).httpMonitors.map(({ id }) => id);

const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one));

/** All of them checked at once, with what the agent answered. */
async function checkedNow(ids: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const monitorId of ids) {
    await management.monitors.triggerMonitor({ id: monitorId }).catch(String);
    const answer = await management.locations
      .checkNow({ privateLocationId: locationId, monitorId })
      .catch(String);
    texts.push(jsonOf(answer));
  }
  return texts.join("\n");
}

let operatorsAnswers = "";
for (let looks = 0; foundIn(heard.allowed, secrets).length < 160 && looks < 5; looks += 1)
  operatorsAnswers += await checkedNow(await idsNow(management));
const newestEntry = (): number => {
  using file = new DatabaseSync(database, { readOnly: true });
  return Number(file.prepare("SELECT MAX(number) AS newest FROM audit_entries").get()?.["newest"]);
};
const operatorsEntries = newestEntry();

/* The attacker has the key: monitors of theirs, made by the rules of management, and checked at once. */

const before = packets();
const made: string[] = [];
const wanted = [
  ...ways.map((way, at) => assignedHttp(`way ${at}`, way(referenceTo(names[at] ?? "")))),
  assignedHttp("a right guess", guessing(referenceTo("s0"), secrets[0]?.value.slice(0, 8) ?? "")),
  assignedHttp("a wrong guess", guessing(referenceTo("s0"), "00000000")),
];
for (const { id = "", url = "", headers = [], body = "", bodyAssertions = [] } of wanted) {
  const monitor = {
    name: id,
    url,
    periodicity: Periodicity.PERIODICITY_30S,
    active: true,
    retry: 0n,
    method: body === "" ? HTTPMethod.HTTP_METHOD_GET : HTTPMethod.HTTP_METHOD_POST,
    body,
    headers: headers.map(({ key = "", value = "" }) => ({ key, value })),
    bodyAssertions: bodyAssertions.map(({ target = "" }) => ({
      target,
      comparator: StringComparator.CONTAINS,
    })),
  };
  // Some are refused by the rules of management.
  const answer = await management.monitors.createHTTPMonitor({ monitor }).catch(() => null);
  if (answer?.monitor !== undefined) made.push(answer.monitor.id);
}
await management.locations.updatePrivateLocation({
  id: locationId,
  monitorIds: [...(await idsNow(management))],
  updateMonitorIds: true,
});
interface Status {
  readonly monitor_counts: { readonly total: number };
  readonly audit_log: { readonly entries: number };
}
const statusAt = async (port: number): Promise<Status> => {
  const answer = await fetch(`http://${places.page}:${port}/status`);
  return JSON.parse(await answer.text());
};
const assigned = (await idsNow(management)).length;
for (const port of [8686, 8687])
  await until(async () => (await statusAt(port)).monitor_counts.total >= assigned);
const answers = await checkedNow(made);
const guesses = answers.split("\n").slice(-2);
// By its heartbeats the agent learns that the log has all of this.
const attackersEntries = newestEntry();
await until(async () => (await statusAt(8686)).audit_log.entries >= attackersEntries);

/* The attacker has the database: what they did is taken out of the log. */

await service.end("SIGTERM");
const rewritten = new DatabaseSync(database);
rewritten.exec(`DELETE FROM audit_entries WHERE number > ${operatorsEntries};
  UPDATE audit_head SET number = ${operatorsEntries},
    hash = (SELECT hash FROM audit_entries WHERE number = ${operatorsEntries}),
    chain = (SELECT chain FROM audit_entries WHERE number = ${operatorsEntries});`);
rewritten.close();
service = started(serviceArgs, debug);
services.push(service);
const noticed = await agent
  .said(/the service's audit log is shorter than it was/)
  .then(([sentence]) => sentence)
  .catch(() => "");
const results = await management.monitors
  .listResults({ monitorId: made[0] ?? "", limit: 100 })
  .catch(String);
const pages: string[] = [];
for (const one of ["/", "/status", "/status?limit=1000", "/metrics", "/metrics?monitors=all"])
  pages.push(await (await fetch(`http://${places.page}:8686${one}`)).text());

/* The attacker is the service: no rule of management holds. */

const reported = new Map<string, string>();
const hostile = hostileAssignment(names);
const binary = (response: http.ServerResponse, bytes: Uint8Array): void => {
  response.writeHead(200, { "content-type": "application/proto" });
  response.end(bytes);
};
const usurper: Usurper = (method, body, response) => {
  switch (method) {
    case "Monitors":
      return binary(
        response,
        toBinary(MonitorsResponseSchema, create(MonitorsResponseSchema, hostile)),
      );
    case "Heartbeat":
      return binary(
        response,
        toBinary(
          HeartbeatResponseSchema,
          create(HeartbeatResponseSchema, { serverTime: BigInt(Date.now()), revision: "hostile" }),
        ),
      );
    case "IngestBatch": {
      const { results } = fromBinary(IngestBatchRequestSchema, body);
      const receipts = results.map(({ result: { value } }) => {
        if (value !== undefined) reported.set(value.monitorId, value.message);
        return { id: value?.id ?? "", receipt: Receipt.ACCEPTED };
      });
      const answer = create(IngestBatchResponseSchema, { receipts });
      return binary(response, toBinary(IngestBatchResponseSchema, answer));
    }
    default:
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("404 page not found\n");
  }
};
wire.usurp(usurper);
const all = [
  hostile.httpMonitors,
  hostile.tcpMonitors,
  hostile.dnsMonitors,
  hostile.icmpMonitors,
  hostile.grpcMonitors,
].flatMap((one) => (one ?? []).map(({ id }) => id ?? ""));
await until(() => all.every((id) => reported.has(id)));
for (const one of ["/", "/status?limit=1000", "/metrics"])
  pages.push(await (await fetch(`http://${places.page}:8686${one}`)).text());
const { monitor_counts: run, remarks = [] } = JSON.parse(
  await (await fetch(`http://${places.page}:8687/status`)).text(),
);
const unsigned = { ...run, remark: remarks[0]?.message ?? "" };
const counted = packets();
const alive = agent.child.exitCode === null;
await agent.end("SIGABRT");
await strict.end("SIGABRT");
await service.end("SIGKILL");

/* What the attacker has in the end. */

const disk = (where: string): readonly Buffer[] =>
  globSync(`${where}*`).map((one) => readFileSync(one));
const looked = {
  database: Buffer.concat(disk(database)),
  wire: wire.sent(),
  "the attacker's machines": heard.elsewhere,
  "questions to name servers": heard.names,
  results: [operatorsAnswers, answers, jsonOf(results), ...reported.values()].join("\n"),
  "logs of the service": services.map((one) => one.output()).join("\n"),
  "logs and crashes of the agents": agent.output() + strict.output(),
  "the agent's pages": pages.join("\n"),
  "the agent's state": Buffer.concat(disk(path.join(state, "/"))),
};
process.stdout.write(
  `${JSON.stringify({
    sentToAllowed: foundIn(heard.allowed, secrets).length,
    found: Object.fromEntries(
      Object.entries(looked).map(([where, text]) => [where, foundIn(text, secrets)]),
    ),
    bytes: Object.fromEntries(Object.entries(looked).map(([where, text]) => [where, text.length])),
    packets: Object.fromEntries(
      Object.entries(counted).map(([place, count]) => [place, count - (before[place] ?? 0)]),
    ),
    noticed,
    alive,
    hostile: all.length,
    byApi: made.length,
    unreported: all.filter((id) => !reported.has(id)),
    guesses: guesses.map((one) => /assertion_failed/.exec(one)?.[0] ?? one),
    unsigned,
  })}\n`,
);
process.exit(0);
