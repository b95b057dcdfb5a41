import { noPhases, type Phases } from "#check/outcome";
import type { MonitorId } from "#service/store/ids";
import type { NewResult } from "#service/store/result-store";
import { period } from "./stored-results.ts";
import { type EpochMillis, epochMillis, millis, nanos } from "#base/units";

/** The times of one check in microseconds; what it has not is 0. */
interface Times {
  readonly dns: number;
  readonly connect: number;
  readonly tls: number;
  readonly write: number;
  readonly wait: number;
  readonly receive: number;
}

const kinds = ["https", "http", "tcp", "dns", "icmp"] as const;
type Kind = (typeof kinds)[number];

/**
 * A month as a monitor has it: a fifth each of https, http, tcp, dns and icmp. Each time scatters around its usual value by
 * 5 to 20 %, the target is slower at noon, one check in fifty is far out, and outages of some minutes come every few days.
 */
export function monthOf(
  monitor: MonitorId,
  index: number,
  begin: EpochMillis,
): (round: number) => NewResult {
  const kind = kinds[index % kinds.length] ?? "tcp";
  const usual = { way: near(800, 0.8), wait: near(20_000, 0.8) };
  const offset = Math.floor(Math.random() * period);
  let downFor = 0;
  let drift = 0;
  return (round) => {
    if (downFor === 0 && Math.random() < 1 / 12_000) downFor = 4 + Math.floor(Math.random() * 40);
    else if (downFor > 0) downFor -= 1;
    drift += 0.02 * normal() - 0.02 * drift;
    const isBad = downFor > 0 || Math.random() < 0.001;
    const factor = Math.exp(drift) * (1 + 0.2 * Math.sin((round / 2_880) * 2 * Math.PI));
    const times = timesOf(kind, usual.way, usual.wait * factor, Math.random() < 0.02 ? 3 : 1);
    const slot = epochMillis(begin + round * period + offset);
    return resultOf({ monitor, kind, slot, isBad, times });
  };
}

interface Seen {
  readonly monitor: MonitorId;
  readonly kind: Kind;
  readonly slot: EpochMillis;
  readonly isBad: boolean;
  readonly times: Times;
}

function resultOf({ monitor, kind, slot, isBad, times }: Seen): NewResult {
  const phases = isBad ? failedPhases(times) : phasesOf(times);
  const total = Object.values(phases).reduce<number>((sum, one) => sum + (one ?? 0), 0);
  const isWeb = kind === "http" || kind === "https";
  const [least, most] = [near(times.connect, 0.05), near(times.connect, 0.05)];
  return {
    monitor,
    slot,
    period,
    status: isBad ? "error" : "success",
    latency: millis(isBad ? 5_000 : Math.round(total / 1e6)),
    startedAt: epochMillis(slot + Math.round(1.5 * Math.abs(normal()))),
    statusCode: isWeb && !isBad ? 200 : 0,
    failure: isBad ? { code: "response_timeout", phase: "wait" } : null,
    phases,
    own: nanos(near(kind === "icmp" ? 60 : 350, 0.15) * 1e3),
    echoes:
      kind === "icmp" && !isBad
        ? {
            sent: 3,
            received: 3,
            least: nanos(Math.min(least, most) * 1e3),
            most: nanos(Math.max(least, most) * 1e3),
          }
        : null,
    attempts: isBad ? 3 : 1,
    trigger: "cron",
    perhapsSlow: false,
    excuse: null,
    certificate: null,
    detail: {
      message: isBad ? "Timeout after 5000 ms: no complete response head came" : "",
      payload: payloadOf(slot, times),
    },
  };
}

/** As long as the reports of such checks, and as different from each other. */
function payloadOf(slot: number, times: Times): Uint8Array {
  const text = JSON.stringify({ slot, ...times, ...report });
  return new TextEncoder().encode(text.slice(0, 650));
}
const report = {
  url: "https://shop.internal/health",
  tls: {
    protocol: "TLSv1.3",
    cipher: "TLS_AES_256_GCM_SHA384",
    subject: "CN=*.internal",
    issuer: "CN=Office CA",
  },
  headers: [
    "content-type: text/html; charset=utf-8",
    "server: nginx",
    "cache-control: no-store",
    "vary: accept",
  ],
  addresses: [{ address: "10.20.0.9", port: 443, ended: "connected", measuredBy: "kernel" }],
  more: "x".repeat(300),
};

function timesOf(kind: Kind, way: number, wait: number, tail: number): Times {
  const none = { dns: 0, connect: 0, tls: 0, write: 0, wait: 0, receive: 0 };
  const connect = near(way, 0.05) * tail;
  const dns = near(300, 0.2) * (Math.random() < 0.03 ? 4 : 1);
  const answer = { wait: near(wait, 0.15) * tail, receive: near(120, 0.2), write: near(45, 0.12) };
  switch (kind) {
    case "https":
      return { dns, connect, tls: near(2 * way + 2_500, 0.05), ...answer };
    case "http":
      return { ...none, dns, connect, ...answer };
    case "dns":
      return {
        ...none,
        connect: near(30, 0.1),
        write: near(25, 0.1),
        wait: near(500, 0.15) * tail,
      };
    case "tcp":
    case "icmp":
      return { ...none, dns, connect };
  }
}

function phasesOf({ dns, connect, tls, write, wait, receive }: Times): Phases {
  const of = (micros: number) => (micros === 0 ? null : nanos(Math.round(micros) * 1e3));
  return {
    dns: of(dns),
    connect: of(connect),
    proxy: null,
    tls: of(tls),
    write: of(write),
    wait: of(wait),
    receive: of(receive),
  };
}

const failedPhases = (times: Times): Phases => ({
  ...noPhases,
  ...phasesOf({ ...times, receive: 0 }),
  wait: nanos(5e9 - times.connect * 1e3),
});

/** About normal, around 0. */
const normal = (): number =>
  1.41 * (Array.from({ length: 6 }, () => Math.random()).reduce((a, b) => a + b) - 3);
const near = (usual: number, scatter: number): number =>
  Math.max(1, Math.round(usual * Math.exp(scatter * normal())));
