import type { Assertion, QueryType } from "#check/assertion";
import type { Failure } from "#check/failure";
import type { GrpcTypes } from "#check/kinds/grpc/grpc-monitor";
import type { IcmpTypes } from "#check/kinds/icmp/icmp-monitor";
import type { Millis } from "#base/units";

/** A monitor as the agent runs it: parsed once at the door, every field in its limits. */
export type Monitor = RunnableMonitor | RejectedMonitor;

/**
 * Every kind of check. A new one begins here, and the compiler then names what misses it: its folder in `check/kinds/`,
 * its codec in `wire/kinds/`, its probe, and its metrics.
 */
export const kinds = ["http", "tcp", "dns", "icmp", "grpc"] as const;
export type Kind = (typeof kinds)[number];

/** What people call a check of each kind, and the lines on its targets in the help of `picket check`, in two columns. */
export const kindWords: {
  readonly [K in Kind]: {
    readonly title: string;
    readonly typed: readonly (readonly [shape: string, says: string])[];
  };
} = {
  http: {
    title: "HTTP",
    typed: [
      ["https://host/path, http://host/path", "without http:// or https://, a host means https"],
    ],
  },
  tcp: { title: "TCP", typed: [["tcp://host:port", ""]] },
  dns: {
    title: "DNS",
    typed: [["dns:name?type=MX&server=127.0.0.1:5353", "type and server may be left out"]],
  },
  icmp: { title: "Ping", typed: [["ping:host", "three echo requests"]] },
  grpc: {
    title: "gRPC",
    typed: [
      ["grpcs://host:port/service", "health over TLS; grpc:// without TLS, and the service may be"],
      ["", "left out; -H sends metadata"],
    ],
  },
};

/**
 * What the folder of a kind says in types: what a check asks, what a person wrote, and what an attempt saw. The oldest three
 * have theirs here, in definition.ts and in outcome.ts.
 */
export interface KindTypes {
  readonly icmp: IcmpTypes;
  readonly grpc: GrpcTypes;
}
export type FolderKind = keyof KindTypes;

export const httpMethods = ["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type HttpMethod = (typeof httpMethods)[number];

/** The methods that send a monitor's body; with another it is kept and not sent. */
export const bodyMethods: readonly HttpMethod[] = ["POST", "PUT", "PATCH"];

interface MonitorBase {
  readonly id: string;
  /** What a person calls it, safe for a terminal and a log; null if the service gives none. */
  readonly name: string | null;
  readonly kind: Kind;
  /** The target as it was given; goes back to the service that gave it, and nowhere else. */
  readonly uri: string;
  readonly periodicity: Millis;
}

export interface RunnableMonitor extends MonitorBase {
  readonly target: Target;
  readonly assertions: readonly Assertion[];
  /** Bounds one attempt as a whole. */
  readonly timeout: Millis;
  /** Strictly above it a passing check is degraded; null is no threshold. */
  readonly degradedAt: Millis | null;
  /** Further attempts after a failed first one. */
  readonly retry: number;
  readonly otel: OtelConfig | null;
  readonly rejection: null;
}

/** A monitor that cannot be run. It keeps its slots, and says on each of them why. */
export interface RejectedMonitor extends MonitorBase {
  readonly rejection: Failure;
}

type Targets = {
  readonly http: HttpTarget;
  readonly tcp: TcpTarget;
  readonly dns: DnsTarget;
} & { readonly [K in FolderKind]: KindTypes[K]["target"] };
export type TargetOf<K extends Kind> = Targets[K];
export type Target = TargetOf<Kind>;

export interface HttpTarget {
  readonly kind: "http";
  /** Absolute, http or https, may hold user-info. */
  readonly url: string;
  readonly method: HttpMethod;
  readonly headers: readonly Header[];
  /** Sent with the methods that send one; empty sends none. */
  readonly body: string;
  readonly followRedirects: boolean;
  /** What of it must not leave its origin; absent if nothing was filled in. */
  readonly bound?: BoundParts;
}

/** Where the secrets of a location are in a request: no redirect carries them elsewhere. */
export interface BoundParts {
  /** Names of headers that hold one, in lower case. */
  readonly headers: ReadonlySet<string>;
  readonly isInBody: boolean;
  /** Whether a text has one of them. */
  readonly isIn: (text: string) => boolean;
}

export interface TcpTarget {
  readonly kind: "tcp";
  /** A name or an address; an IPv6 address has no brackets. */
  readonly host: string;
  readonly port: number;
}

export interface DnsTarget {
  readonly kind: "dns";
  /** Absolute, ASCII, without the trailing dot. */
  readonly name: string;
  readonly types: readonly QueryType[];
  /** Whether the name has to have a record of one of the types; false if each has assertions that hold without one. */
  readonly recordsNeeded: boolean;
  /** Null asks the configured servers, or the system's. */
  readonly server: { readonly host: string; readonly port: number } | null;
}

export interface Header {
  readonly key: string;
  readonly value: string;
}

/** Where the metrics of one monitor go; headers are secrets. */
export interface OtelConfig {
  readonly endpoint: string;
  readonly headers: readonly Header[];
}
