import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathFile } from "#agent/state/path-file";
import { systemClock } from "#base/clock";
import { epochMillis, minutes, nanos } from "#base/units";
import { silentLogger } from "#base/log";
import type { KnownPath } from "#check/known-path";
import { asDrawn } from "./meshed-network.ts";
import { dead } from "./path-scenes.ts";
import { within } from "../../../support/routed-network.ts";
import { type AgentPart, type Office, parts } from "./three-agents.ts";

/*
 * A whole Picket in the network of meshed-network.ts, which failing-path.test.ts makes: a service, and three agents that know
 * the path from before. A router is replaced by one that passes nothing on; later the target fails by itself, also by IPv6.
 * Writes what people then see, as a line of JSON.
 */

const picket = path.resolve(import.meta.dirname, "../../../../bin/picket");
const service = "http://127.0.0.1:8787";

const order = (line: string): void => {
  writeSync(7, `${line}\n`);
  const said = readFileSync("/run/done", "utf8");
  if (said !== "done") throw new Error(`the order ${line} ${said}`);
};

/** Until it holds, or two minutes have passed: then what was there instead is in the result. */
async function until<T>(look: () => T | Promise<T>, is: (found: T) => boolean): Promise<T> {
  for (let turn = 0; ; turn += 1) {
    const found = await look();
    if (is(found) || turn === 1_200) return found;
    await sleep(100);
  }
}

interface Running {
  readonly output: () => string;
}

function started(args: readonly string[], env: Readonly<Record<string, string>>): Running {
  const child = spawn(picket, args, { env: { ...process.env, ...env } });
  process.on("exit", () => child.kill("SIGKILL"));
  let text = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      text += String(chunk);
    });
  return { output: () => text };
}

const ran = (args: readonly string[], env: Readonly<Record<string, string>>): string => {
  const { stdout, stderr } = spawnSync(picket, args, { env: { ...process.env, ...env } });
  return `${String(stdout)}${String(stderr)}`;
};

/** A path as an agent has it that has run for an hour. */
function knownFor(family: 4 | 6, sourcePort: number): KnownPath {
  const wall = systemClock.wall();
  const hourAgo = epochMillis(wall - minutes(60));
  const lately = epochMillis(wall - minutes(4));
  const routers =
    family === 4
      ? ["10.0.0.1", "10.0.1.2", "10.0.3.2", "10.0.7.2"]
      : ["fd00:0::1", "fd00:1::2", "fd00:3::2", "fd00:7::2"];
  return {
    network: family === 4 ? "10.0.8.0/24" : "fd00:8:0::/48",
    flow: {
      protocol: "tcp",
      address: family === 4 ? "10.0.8.9" : "fd00:8::9",
      port: 80,
      sourcePort,
    },
    hops: routers.map((address, index) => ({
      ttl: index + 1,
      address,
      roundTrip: nanos(300_000),
      since: hourAgo,
      seenAt: lately,
      times: 16,
      silent: 0,
      others: [],
      flippedAt: null,
    })),
    length: 5,
    tracedAt: lately,
    changes: [],
  };
}

function agentFor({ port, sourcePort, env }: AgentPart, state: string, token: string): Running {
  mkdirSync(state, { mode: 0o700 });
  pathFile(path.join(state, "paths.json"), silentLogger).save([
    knownFor(4, sourcePort),
    knownFor(6, sourcePort),
  ]);
  return started(["agent"], {
    SERVICE_API_URL: service,
    PICKET_TOKEN: token,
    PICKET_STATE_DIR: state,
    PICKET_LISTEN: `127.0.0.1:${port}`,
    PICKET_HEARTBEAT_INTERVAL: "2s",
    ...env,
  });
}

/** Packets of traces that came by the first router, by the port that they began at. */
const counted = (family: 4 | 6, sourcePort: number): number => {
  order(
    `nsenter --net=/run/netns/r1 ${family === 4 ? "iptables" : "ip6tables"} -t mangle -L PREROUTING -v -n -x > /run/counted`,
  );
  const line = readFileSync("/run/counted", "utf8")
    .split("\n")
    .find((one) => one.includes(`spt:${sourcePort}`));
  return Number(line?.trim().split(/\s+/)[0] ?? "-1");
};

/** What people see of a page, without its marks. */
const textOf = (page: string): string => page.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");

async function openPages(key: string): Promise<(to: string) => Promise<string>> {
  const signIn = await fetch(`${service}/sign-in`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": "application/x-www-form-urlencoded", origin: service },
    body: new URLSearchParams({ secret: key }),
  });
  const cookie = (signIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  return async (to) =>
    textOf(await (await fetch(`${service}${to}`, { headers: { cookie } })).text());
}

/** The messages that the channel of the office gets, as they come. */
async function openChannel(): Promise<readonly string[]> {
  const messages: string[] = [];
  const receiver = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => {
      text += String(chunk);
    });
    request.on("end", () => {
      messages.push(text);
      response.end();
    });
  }).listen(8790, "127.0.0.1");
  await once(receiver, "listening");
  return messages;
}

const statusOf = async ({ port }: Pick<AgentPart, "port">): Promise<string> =>
  (await (await fetch(`http://127.0.0.1:${port}/status`).catch(() => null))?.text()) ?? "";
const saying = (messages: readonly string[], word: string): Promise<string> =>
  until(
    () => messages.find((one) => one.includes(word)) ?? "",
    (one) => one !== "",
  );

const replaceRouter: string = [
  "ip -n r1 route replace 10.0.8.0/24 via 10.0.2.2",
  within("b", "iptables -A FORWARD -j DROP"),
].join(" && ");

/** Plays it, and writes what came of it. */
export async function play({ folder, database, key, tokens }: Office): Promise<void> {
  order(asDrawn);
  const messages = await openChannel();
  for (const { sourcePort } of parts)
    for (const filter of ["iptables", "ip6tables"])
      order(within("r1", `${filter} -t mangle -A PREROUTING -i near -p tcp --sport ${sourcePort}`));
  const served = started(["service", "--database", database, "--listen", "127.0.0.1:8787"], {});
  await until(
    async () => (await fetch(`${service}/livez`).catch(() => null))?.ok,
    (one) => one === true,
  );
  const agents = parts.map((part, index) =>
    agentFor(part, path.join(folder, part.name), tokens[index] ?? ""),
  );
  const [office, off, denied] = parts;
  const passing = [
    await until(
      () => statusOf(office),
      (text) => text.includes('"success":2'),
    ),
    await until(
      () => statusOf(off),
      (text) => text.includes('"success":2'),
    ),
  ];
  const refused = await until(
    () => statusOf(denied),
    (text) => text.includes('"error":2'),
  );
  await until(
    () => counted(4, office.sourcePort) + counted(6, office.sourcePort),
    (count) => count > 0,
  );
  order(replaceRouter);
  const notice = await saying(messages, "shop-office");
  const page = await openPages(key);
  const seen = {
    notice,
    incident: await page(`/incidents/${/"number":(\d+)/.exec(notice)?.[1] ?? 1}`),
    monitor: await until(
      () => page("/monitors/1"),
      (text) => text.includes("Path to the target"),
    ),
    why: ran(["why", "tcp://10.0.8.9:80", "--timeout", "1500ms"], {
      PICKET_STATE_DIR: path.join(folder, office.name),
    }),
    off: await until(
      () => statusOf(off),
      (text) => text.includes('"error":1'),
    ),
    own: (order(dead("target")), await saying(messages, "six-office")),
    status: await statusOf(office),
    metrics: await (await fetch(`http://127.0.0.1:${office.port}/metrics?scope=agent`)).text(),
    packets: parts.map(({ sourcePort }) => counted(4, sourcePort) + counted(6, sourcePort)),
    passing,
    refused,
    output: [served, ...agents].map((one) => one.output().slice(-1_500)),
  };
  process.stdout.write(`${JSON.stringify(seen)}\n`, () => process.exit(0));
}
