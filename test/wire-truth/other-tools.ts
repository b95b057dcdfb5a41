import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import http from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { type Daemon, startDaemon } from "../lab/daemon.ts";
import { closedPort } from "../servers/scripted.ts";
import { type Load, openLoop } from "./load.ts";
import { padding } from "./peers.ts";
import type { Figures, Reported } from "./reported.ts";

const nothing: Figures = {
  connect: null,
  tls: null,
  write: null,
  wait: null,
  firstByte: null,
  receive: null,
  total: null,
};

export type BlackboxModule = "http1" | "http2" | "tcp" | "dns";

export interface Blackbox extends Daemon {
  /** One probe, as the exporter's metrics tell of it. */
  probe(module: BlackboxModule, target: string): Promise<string>;
  /** Probes the targets in turn. `servers` are their addresses, as a capture shows them. */
  run(
    module: BlackboxModule,
    targets: readonly string[],
    servers: readonly string[],
    load: Load,
  ): Promise<readonly Reported[]>;
}

export async function startBlackbox(folder: string, caFile: string): Promise<Blackbox> {
  const port = await closedPort();
  const web = (http2: boolean): object => ({
    prober: "http",
    timeout: "5s",
    http: {
      enable_http2: http2,
      preferred_ip_protocol: "ip4",
      headers: { "x-fill": padding },
      tls_config: { ca_file: caFile },
    },
  });
  const modules = {
    http1: web(false),
    http2: web(true),
    tcp: { prober: "tcp", timeout: "5s", tcp: { preferred_ip_protocol: "ip4" } },
    dns: {
      prober: "dns",
      timeout: "5s",
      dns: { query_name: "a.wire.test", query_type: "A", preferred_ip_protocol: "ip4" },
    },
  };
  const file = path.join(folder, "blackbox.yml");
  // YAML reads JSON.
  writeFileSync(file, JSON.stringify({ modules }));
  const args = [
    `--config.file=${file}`,
    `--web.listen-address=127.0.0.1:${port}`,
    "--log.level=error",
  ];
  const daemon = await startDaemon("prometheus-blackbox-exporter", args, { folder, port });
  const agent = new http.Agent({ keepAlive: true });
  const probe = (module: BlackboxModule, target: string): Promise<string> => {
    const query = new URLSearchParams({ module, target });
    return get(`http://127.0.0.1:${port}/probe?${query.toString()}`, agent);
  };
  return {
    ...daemon,
    probe,
    run: (module, targets, servers, load) =>
      openLoop(load, async (index) => {
        const text = await probe(module, targets[index % targets.length] ?? "");
        return blackboxReport(text, module, servers[index % servers.length] ?? "");
      }),
    [Symbol.asyncDispose]: async () => {
      agent.destroy();
      await daemon[Symbol.asyncDispose]();
    },
  };
}

async function get(url: string, agent: http.Agent): Promise<string> {
  const request = http.get(url, { agent });
  const [response]: http.IncomingMessage[] = await once(request, "response");
  const chunks: Buffer[] = [];
  for await (const chunk of response ?? []) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

/** Whether a probe passed. */
export const hasSucceeded = (text: string): boolean => text.includes("\nprobe_success 1");

function blackboxReport(text: string, module: BlackboxModule, server: string): Reported {
  const value = (name: string): number => {
    const [, found] = new RegExp(`^${name} (\\S+)$`, "m").exec(text) ?? [];
    return Number(found) * 1e9;
  };
  const phase = (kind: string, name: string): number =>
    value(`probe_${kind}_duration_seconds\\{phase="${name}"\\}`);
  const failed = !hasSucceeded(text);
  const all = { server, errorBar: null, ownErrorBar: 0, leavesOursOut: false, failed };
  const lookUp = value("probe_dns_lookup_time_seconds");
  switch (module) {
    case "tcp": {
      const connect = value("probe_duration_seconds") - lookUp;
      return { ...all, figures: { ...nothing, connect, total: connect } };
    }
    case "dns": {
      const request = phase("dns", "request");
      return { ...all, figures: { ...nothing, firstByte: request, total: request } };
    }
    case "http1":
    case "http2": {
      const [connect, firstByte, receive] = ["connect", "processing", "transfer"].map((name) =>
        phase("http", name),
      );
      const tls = text.includes("\nprobe_http_ssl 1") ? phase("http", "tls") : null;
      const total = (connect ?? 0) + (tls ?? 0) + (firstByte ?? 0) + (receive ?? 0);
      return {
        ...all,
        figures: {
          ...nothing,
          connect: connect ?? null,
          tls,
          firstByte: firstByte ?? null,
          receive: receive ?? null,
          total,
        },
      };
    }
  }
}

const execute = promisify(execFile);

/** curl, one process a check: for low rates. */
export async function runCurl(
  targets: readonly string[],
  servers: readonly string[],
  load: Load,
  {
    caFile,
    http2,
    inside = [],
  }: {
    readonly caFile: string;
    readonly http2: boolean;
    /** What is put before the command. */
    readonly inside?: readonly string[];
  },
): Promise<readonly Reported[]> {
  return openLoop(load, async (index) => {
    const url = targets[index % targets.length] ?? "";
    const [command, ...before] = [...inside, "curl"];
    const { stdout } = await execute(command, [
      ...before,
      ...`-s -o /dev/null -w %{json} ${http2 ? "--http2" : "--http1.1"}`.split(" "),
      "--cacert",
      caFile,
      "-H",
      `x-fill: ${padding}`,
      url,
    ]);
    const told: unknown = JSON.parse(stdout);
    return curlReport(told, servers[index % servers.length] ?? "");
  });
}

function curlReport(told: unknown, server: string): Reported {
  const of = (name: string): number =>
    typeof told === "object" && told !== null ? Number(Reflect.get(told, name)) * 1e9 : Number.NaN;
  const [named, connected, secured] = [
    of("time_namelookup"),
    of("time_connect"),
    of("time_appconnect"),
  ];
  const ready = secured > 0 ? secured : connected;
  return {
    server,
    errorBar: null,
    ownErrorBar: 0,
    leavesOursOut: false,
    failed: of("http_code") !== 200e9,
    figures: {
      ...nothing,
      connect: connected - named,
      tls: secured > 0 ? secured - connected : null,
      firstByte: of("time_starttransfer") - ready,
      receive: of("time_total") - of("time_starttransfer"),
      total: of("time_total") - named,
    },
  };
}
