import * as limits from "#limits/check-limits";
import type { WrittenPolicy } from "#check/alert-policy";
import type { FolderKind, Header, Kind, KindTypes, OtelConfig } from "#check/monitor";
import { millis, type Millis } from "#base/units";

/**
 * A monitor as it was written, before anything is believed: what a person says in a file or a call, or what the
 * service assigns. read-monitor.ts makes the monitor that runs of it, or finds what is wrong with it.
 */
export type MonitorDefinition = DefinitionOf<Kind>;
export type DefinitionOf<K extends Kind> = Definitions[K];

type Definitions = {
  readonly http: HttpDefinition;
  readonly tcp: TcpDefinition;
  readonly dns: DnsDefinition;
} & { readonly [K in FolderKind]: CommonFields & KindTypes[K]["fields"] };

/** The lists of assertions of one kind of monitor. */
export type AssertionLists<D extends MonitorDefinition> = {
  readonly [F in keyof D as F extends `${string}Assertions` ? F : never]: D[F];
};

export interface CommonFields {
  readonly name: string;
  readonly periodicity: string;
  /** Milliseconds; 0 means the default. */
  readonly timeout: number;
  /** Milliseconds; null or 0 means no threshold. */
  readonly degradedAt: number | null;
  readonly retry: number;
  readonly active: boolean;
  readonly public: boolean;
  readonly description: string;
  readonly regions: readonly string[];
  readonly otel: OtelConfig | null;
  /** Null: as every monitor that does not say. */
  readonly alerting: WrittenPolicy | null;
  readonly labels: Readonly<Record<string, string>>;
  /** Of all that an agent receives of it, made where it was written; empty: it is not signed. */
  readonly signature: string;
}

export interface HttpDefinition extends CommonFields {
  readonly kind: "http";
  readonly url: string;
  readonly method: string;
  readonly body: string;
  readonly followRedirects: boolean;
  readonly headers: readonly Header[];
  readonly statusCodeAssertions: readonly {
    readonly target: number;
    readonly comparator: string;
  }[];
  readonly bodyAssertions: readonly { readonly target: string; readonly comparator: string }[];
  readonly headerAssertions: readonly {
    readonly key: string;
    readonly target: string;
    readonly comparator: string;
  }[];
  readonly jsonAssertions: readonly {
    readonly path: string;
    readonly target: string;
    readonly comparator: string;
  }[];
}

export interface TcpDefinition extends CommonFields {
  readonly kind: "tcp";
  readonly uri: string;
}

export interface DnsDefinition extends CommonFields {
  readonly kind: "dns";
  readonly uri: string;
  readonly recordAssertions: readonly {
    readonly record: string;
    readonly target: string;
    readonly comparator: string;
  }[];
}

/** What only a definition of this kind has. */
export type OwnFields<D extends MonitorDefinition> = Omit<D, keyof CommonFields | "kind">;

/** What a definition is when a person leaves everything out that may be left out. */
export const commonDefaults: CommonFields = {
  name: "",
  periodicity: "",
  timeout: limits.timeoutDefault,
  degradedAt: null,
  retry: limits.retryDefault,
  active: false,
  public: false,
  description: "",
  regions: [],
  otel: null,
  alerting: null,
  labels: {},
  signature: "",
};

export const httpDefaults: HttpDefinition = {
  ...commonDefaults,
  kind: "http",
  url: "",
  method: "GET",
  body: "",
  followRedirects: true,
  headers: [],
  statusCodeAssertions: [],
  bodyAssertions: [],
  headerAssertions: [],
  jsonAssertions: [],
};
export const tcpDefaults: TcpDefinition = { ...commonDefaults, kind: "tcp", uri: "" };
export const dnsDefaults: DnsDefinition = {
  ...commonDefaults,
  kind: "dns",
  uri: "",
  recordAssertions: [],
};

/** Every periodicity that is understood, by its word on the wire. */
export const periodicities: Readonly<Record<string, Millis>> = {
  "10s": millis(10_000),
  "30s": millis(30_000),
  "1m": millis(60_000),
  "5m": millis(300_000),
  "10m": millis(600_000),
  "30m": millis(1_800_000),
  "1h": millis(3_600_000),
};
/** The specification's set; the wire also carries 10s. */
export const managementPeriodicities: readonly string[] = ["30s", "1m", "5m", "10m", "30m", "1h"];
