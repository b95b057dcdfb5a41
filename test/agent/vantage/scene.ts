import { unseen } from "#check/kinds/unseen";
import type { Cause } from "#check/cause";
import type { ConnectionEvidence, PathHop, TcpState } from "#check/evidence";
import { failure, type FailureCode, type FailurePhase } from "#check/failure";
import type { Target } from "#check/monitor";
import type { AddressAttempt, Outcome } from "#check/outcome";
import { parseBlock } from "#network/address-block";
import { parseNoProxy } from "#network/no-proxy";
import { parseProxy } from "#network/proxy";
import { epochMillis, millis, nanos } from "#base/units";
import { blindSight, type MachineSight, type Route } from "#agent/vantage/machine-sight";
import type { Observation } from "#agent/vantage/observation";
import { observationOf } from "#agent/vantage/read-observation";
import { Vantage } from "#agent/vantage/vantage";

/** 10.0.0.0/24 at eth0, and the rest behind the gateway 10.0.0.1. */
export const healthy: MachineSight = {
  ...blindSight,
  interfaces: [{ name: "eth0", link: "up" }],
  routes: [route("0.0.0.0/0", "eth0", "10.0.0.1"), route("10.0.0.0/24", "eth0", null)],
  resolvers: [{ server: "10.0.0.53", is: "well" }],
};

export function route(block: string, device: string, gateway: string | null): Route {
  const parsed = parseBlock(block);
  if (parsed === null) throw new Error(`${block} is no block`);
  return { block: parsed, device, gateway, metric: 0 };
}

/** A router on the way that said nothing more. */
export const hopAt = (ttl: number, address: string): PathHop => ({
  ttl,
  address,
  ended: "hop",
  roundTrip: null,
  icmp: null,
});

export interface Failing {
  readonly code: FailureCode;
  readonly phase: FailurePhase;
  readonly evidence?: Partial<ConnectionEvidence>;
  readonly issuer?: string;
  /** When the certificate ends and begins, in milliseconds from its check. */
  readonly ends?: number;
  readonly begins?: number;
  readonly message?: string;
  /** How long the connection was tried, in milliseconds. */
  readonly elapsed?: number;
}

/** How checks of silence, refusal and name servers look. */
export const timeout: Failing = { code: "connect_timeout", phase: "connect" };
export const unresolved: Failing = {
  code: "host_unreachable",
  phase: "connect",
  evidence: { refusedBy: { sender: "10.0.0.2", from: "this machine", type: 3, code: 1 } },
};
export const ownFirewall: Failing = {
  code: "connection_refused",
  phase: "connect",
  evidence: { refusedBy: { sender: "10.0.0.2", from: "this machine", type: 3, code: 3 } },
};
export const refused: Failing = { code: "connection_refused", phase: "connect" };
export const silentNames: Failing = { code: "dns_timeout", phase: "dns" };
export const refusedByRouter = (sender: string): Failing => ({
  code: "host_unreachable",
  phase: "connect",
  evidence: { refusedBy: { sender, from: "a router", type: 3, code: 1 } },
});

export const quietTcp: TcpState = {
  state: 1,
  retransmits: 0,
  retransmittedInAll: 0,
  unacknowledged: 0,
  unsentBytes: 0,
  sinceHeard: 0,
  acknowledgedBytes: 100,
  pathMtu: 1500,
};

/** An agent's own place, with results and looks as they come. */
export class Scene {
  readonly vantage: Vantage;
  sight: MachineSight;
  /** Those that are known to lie before an address, the furthest first. */
  readonly routers: Map<string, readonly string[]> = new Map();
  /** When the oldest route was seen through each of them. */
  routesSeenAt = 0;
  now = 0;
  /** Of every monitor. */
  period = 30_000;
  #ids = 0;
  readonly #proxy: string | null;

  constructor(sight: MachineSight = healthy, proxy: string | null = null) {
    this.sight = sight;
    this.#proxy = proxy;
    const newId = (): string => `cause-${(this.#ids += 1)}`;
    this.vantage = new Vantage({ newId, wallAt: (instant) => instant });
  }

  /** The machine is looked at, now and as it is. */
  look(sight: Partial<MachineSight> = {}): void {
    this.sight = { ...this.sight, ...sight };
    this.vantage.look(this.sight, this.now);
  }

  passes(monitor: string, address: string, took = 0.5): void {
    this.vantage.note(this.#seen(monitor, address, null, took));
  }

  /** One of the operator's references is asked; null answers. */
  asks(reference: string, how: Failing | null = timeout): void {
    this.vantage.noteReference(this.#seen(`reference ${reference}`, reference, how, 0.5));
  }

  /** What is said of a failure right after a look, as it is in an agent. */
  fails(monitor: string, address: string, how: Failing = timeout, took = 0.5): Cause | null {
    const seen = this.failing(monitor, address, took, how);
    this.look();
    return this.vantage.judge(seen);
  }

  /** The same, which is not judged yet. */
  failing(monitor: string, address: string, took: number, how: Failing = timeout): Observation {
    const seen = this.#seen(monitor, address, how, took);
    this.vantage.note(seen);
    return seen;
  }

  #seen(monitor: string, address: string, how: Failing | null, took: number): Observation {
    this.now += 1;
    const target = targetOf(address);
    const outcome = outcomeOf(target, address, how, took);
    const proxying = proxyingOf(this.#proxy);
    const seen = observationOf(
      { monitorId: monitor, outcome, failure: outcome.failure },
      { target, periodicity: millis(this.period) },
      {
        proxying,
        resolvers: ["10.0.0.53"],
        sight: this.sight,
        routersTo: (of) =>
          (this.routers.get(of) ?? []).map((address) => ({ address, seenAt: this.routesSeenAt })),
      },
      this.now,
    );
    if (seen === null) throw new Error("the result says nothing");
    return seen;
  }
}

/** `10.9.1.1`, `10.9.1.1:8080` or `shop.test`. */
function targetOf(text: string): Target {
  if (text.includes("::")) return { kind: "tcp", host: text, port: 443 };
  const [host = "", port = "443"] = text.split(":");
  return { kind: "tcp", host, port: Number(port) };
}

function outcomeOf(target: Target, address: string, how: Failing | null, took: number): Outcome {
  const failed = how === null ? null : failure(how.code, how.phase, how.message ?? "it failed");
  const plain = unseen("tcp", epochMillis(0), failure("agent_error", "agent", "unused"));
  const host = target.kind === "tcp" ? target.host : address;
  const port = target.kind === "tcp" ? target.port : 0;
  const isAddress = /^[\d.]+$|:/.test(host);
  const ended: AddressAttempt["ended"] = failed?.phase === "connect" ? failed.code : "connected";
  const dialled = { address: isAddress ? host : `10.9.${host.length}.1`, port, ended };
  return {
    ...plain,
    failure: failed,
    total: nanos(took * 1e6),
    addresses:
      failed?.phase === "dns"
        ? []
        : [{ ...dialled, elapsed: nanos((how?.elapsed ?? 0) * 1e6), measuredBy: "event" }],
    evidence: how?.evidence === undefined ? null : { ...noEvidence, ...dialled, ...how.evidence },
    tls: how?.issuer === undefined ? null : tlsOf(how.issuer, how),
  };
}

const noEvidence = {
  peer: "target",
  source: "10.0.0.2",
  refusedBy: null,
  tcp: null,
  path: null,
  onlySmallPass: null,
} as const;

const tlsOf = (issuer: string, { ends = 0, begins = 0 }: Failing): Outcome["tls"] => ({
  protocol: null,
  cipher: null,
  alpn: null,
  serverName: null,
  acceptedFault: null,
  certificate: {
    subject: "CN=a",
    issuer,
    altNames: [],
    validFrom: epochMillis(begins),
    validTo: epochMillis(ends),
    fingerprint256: "",
    chain: [],
  },
});

function proxyingOf(url: string | null): Parameters<typeof observationOf>[2]["proxying"] {
  const exceptions = parseNoProxy("10.0.0.0/24");
  const proxy = url === null ? null : parseProxy(url);
  if (!exceptions.ok || proxy?.ok === false) throw new Error("the scene's proxy is none");
  return { proxy: proxy?.value ?? null, exceptions: exceptions.value };
}
