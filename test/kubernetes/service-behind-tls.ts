import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { vi } from "vitest";
import { Authority } from "../support/authority.ts";
import type { Enclosed, Enclosure } from "./enclosure.ts";

/** A result as the service keeps it; instants in epoch milliseconds. */
export interface StoredResult {
  readonly monitor: string;
  readonly slot: number;
  readonly storedAt: number;
}

/** A Picket service as a company has it: behind TLS of a private authority, with one location and its monitors. */
export interface ServiceBehindTls {
  readonly url: string;
  /** The authority's certificate, as PEM. */
  readonly authority: string;
  /** The location's first token. */
  readonly token: string;
  /** Another token for the location; those before it are refused at once. */
  rotateToken(): Promise<string>;
  stop(): Promise<void>;
  start(): Promise<void>;
  results(): readonly StoredResult[];
  /** The agents that have not left, by id. */
  agents(): readonly AgentSeen[];
}

export interface AgentSeen {
  readonly id: string;
  readonly node: string;
  /** How many it runs. */
  readonly monitors: number;
}

const repository = path.resolve(import.meta.dirname, "../..");
const picket = path.join(repository, "bin/picket");
const port = "8787";
const behind = `http://127.0.0.1:${port}`;
const patience = { timeout: 100_000, interval: 100 };

/** Seconds between two slots of a monitor: the shortest that the service takes. */
export const period = 30;
/** So many that a result comes every few seconds. */
export const monitorCount = 6;
const monitors = (address: string): string => {
  const web = Array.from(
    { length: monitorCount - 1 },
    (_, n) =>
      `  - { name: web-${n}, url: 'http://${address}:8080/${n}', periodicity: ${period}s, active: true }\n`,
  );
  return `http_monitors:
${web.join("")}tcp_monitors:
  - { name: port, uri: '${address}:8080', periodicity: ${period}s, active: true }
`;
};

export async function startServiceBehindTls(
  enclosure: Enclosure,
  { address, folder }: { readonly address: string; readonly folder: string },
): Promise<ServiceBehindTls> {
  const at = (name: string): string => path.join(folder, name);
  const authority = await Authority.create("Company");
  const identity = await authority.issue({ name: "picket", altNames: [address] });
  writeFileSync(at("front.crt"), identity.cert);
  writeFileSync(at("front.key"), identity.key);
  const front = [
    path.join(import.meta.dirname, "front.ts"),
    address,
    at("front.crt"),
    at("front.key"),
    port,
  ];
  enclosure.start([process.execPath, ...front], at("front.log"));

  const database = at("service.sqlite");
  let service: Enclosed;
  const start = async (): Promise<void> => {
    const words = ["service", "--database", database, "--listen", `127.0.0.1:${port}`];
    service = enclosure.start([picket, ...words], at("service.log"));
    // It listens before its database is open.
    await vi.waitFor(() => must(["curl", "-sS", "--fail", `${behind}/healthz`]), patience);
  };
  const must = async (command: readonly string[], env?: NodeJS.ProcessEnv): Promise<string> => {
    const { code, stdout, output } = await enclosure.run(command, env);
    if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${output}`);
    return stdout;
  };
  await start();
  // It prints its key once its database is open.
  const key = await vi.waitFor(() => {
    const said = readFileSync(at("service.log"), "utf8");
    const [found] = /pkt_key_[\w-]{43}/.exec(said) ?? [];
    if (found === undefined) throw new Error(`the service has printed no key: ${said}`);
    return found;
  }, patience);
  writeFileSync(at("monitors.yaml"), monitors(address));
  const env = { ...process.env, SERVICE_API_URL: behind, SERVICE_API_KEY: key };
  const applied = await must(
    [picket, "apply", "-f", at("monitors.yaml"), "--location", "cluster"],
    env,
  );
  const rows = (query: string): readonly Record<string, unknown>[] => {
    using read = new DatabaseSync(database, { readOnly: true });
    return read.prepare(query).all();
  };
  const locationId = String(rows("SELECT id FROM locations")[0]?.["id"]);
  const tokenIn = (text: string): string => {
    const [token] = /pkt_loc_[\w-]+/.exec(text) ?? [];
    if (token === undefined) throw new Error(`no token was told: ${text}`);
    return token;
  };
  return {
    url: `https://${address}`,
    authority: authority.cert,
    token: tokenIn(applied),
    rotateToken: async () => {
      const call =
        "openstatus.private_location.v1.PrivateLocationService/RotatePrivateLocationToken";
      const body = JSON.stringify({ id: locationId, overlapSeconds: 0 });
      const headers = ["-H", "content-type: application/json", "-H", `x-service-key: ${key}`];
      return tokenIn(await must(["curl", "-sS", ...headers, "-d", body, `${behind}/${call}`]));
    },
    stop: () => service.end("TERM"),
    start,
    results: () =>
      rows("SELECT monitor, slot, slot + stored AS stored_at FROM results").map((row) => ({
        monitor: String(row["monitor"]),
        slot: Number(row["slot"]),
        storedAt: Number(row["stored_at"]),
      })),
    agents: () =>
      rows(
        `SELECT id, report ->> 'node' AS node, report ->> 'monitorCount' AS monitor_count
         FROM instances WHERE has_left = 0 AND report <> '' ORDER BY id`,
      ).map((row) => ({
        id: String(row["id"]),
        node: String(row["node"]),
        monitors: Number(row["monitor_count"]),
      })),
  };
}
