import {
  type Argument,
  count,
  flag,
  optionalCount,
  optionalFlag,
  type Pair,
  pairs,
  rows,
  section,
  text,
  texts,
  type ValuesOf,
  word,
} from "#check/argument";
import type { Mapping } from "#base/json";
import {
  numberComparators,
  recordComparators,
  recordTypes,
  stringComparators,
} from "#check/assertion";
import {
  type DefinitionOf,
  type DnsDefinition,
  type HttpDefinition,
  managementPeriodicities,
  type TcpDefinition,
} from "#check/definition";
import { type PolicyArguments, policyArguments } from "#check/policy-arguments";
import * as limits from "#limits/check-limits";
import { httpMethods, type Kind } from "#check/monitor";

/*
 * The arguments of a monitor by the names of the specification: a file is read by these
 * tables, and docs/reference/monitors.md is made from them. What a value may be is judged by the rules that calls share.
 */

/** An argument for every field of a definition, under its name in snake case: one that is missing does not compile. */
type ArgumentsOf<D> = {
  readonly [
    F in Exclude<keyof D, "kind" | "otel" | "active" | "alerting" | "labels"> as SnakeCase<F>
  ]: Argument<D[F]>;
} & {
  /** Null if nothing is said: what that means depends on the command. */
  readonly active: Argument<boolean | null>;
  readonly otlp_endpoint: Argument<string>;
  readonly otlp_headers: Argument<readonly Pair[]>;
  readonly alerting: Argument<ValuesOf<PolicyArguments> | null>;
  readonly labels: Argument<readonly Pair[]>;
  /** Not of the monitor itself: where it is assigned, and who is notified of it. */
  readonly locations: Argument<readonly string[]>;
  readonly notifications: Argument<readonly string[]>;
  /** By name; the service knows their ids. */
  readonly depends_on: Argument<readonly string[]>;
  readonly renamed_from: Argument<string>;
};

type SnakeCase<S> = S extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : S;

/** For every resource that is known by its name. */
export const renamedFrom: Argument<string> = text({
  does: "The name that it had before, so that it keeps its history under the new one.",
  fallback: "",
});

const name = text({
  does: "What the monitor is called in messages, on pages and in later files.",
  limit: `${limits.nameCharsMax} characters; unique among its kind`,
});
const common = {
  renamed_from: renamedFrom,
  periodicity: word(managementPeriodicities, { does: "How often it is checked." }),
  timeout: count("milliseconds", {
    does: "Bounds one attempt as a whole, from the look-up of the name to the last byte, redirects included.",
    limit: `0 to ${limits.timeoutMax}; 0 means the default`,
    fallback: limits.timeoutDefault,
  }),
  degraded_at: optionalCount(
    "milliseconds",
    "A check that passes but takes longer than this is degraded. 0 sets no threshold; 120000 is the most.",
  ),
  retry: count("", {
    does: "How many times a failed attempt is repeated before the check counts as failed.",
    limit: `0 to ${limits.retryMax}`,
    fallback: limits.retryDefault,
  }),
  active: optionalFlag(
    "Whether it is checked. Left out, it counts as `false`, but `picket up` and `picket check` check it all the same.",
  ),
  public: flag({
    does: "Whether status pages that show it have a page of its uptime and latency.",
    fallback: false,
  }),
  description: text({
    does: "A note for whoever is woken by it, e.g. a link to a runbook.",
    limit: `${limits.descriptionCharsMax} characters`,
    fallback: "",
  }),
  regions: texts({
    does: "Regions of a hosted service. They are stored; agents of private locations ignore them.",
    fallback: [],
  }),
  alerting: section(
    policyArguments,
    "When its trouble becomes an incident, and when that is over: see [alerting](../alerting.md).",
  ),
  depends_on: texts({
    does: "Names of monitors that it cannot work without: while one of them is down, its alerts wait. `picket up` ignores it.",
    limit: `${limits.dependenciesMax} monitors`,
    fallback: [],
  }),
  labels: pairs({
    does: "Labels by which channels and silences select it, e.g. `team: shop`.",
    limit: `${limits.locationLabelsMax} labels`,
    fallback: [],
  }),
  locations: texts({
    does: "Names of the private locations that run it; `picket up` and `picket check` ignore it.",
    fallback: [],
  }),
  notifications: texts({
    does: "Names of the notification channels that get its incidents; `picket check` ignores it.",
    fallback: [],
  }),
  otlp_endpoint: text({
    does: "An OTLP/HTTP endpoint that gets the metrics of this monitor's checks.",
    limit: "http:// or https://",
    fallback: "",
  }),
  otlp_headers: pairs({
    does: "Headers sent with each export of these metrics, e.g. for authentication.",
    limit: `${limits.headersMax} headers; needs \`otlp_endpoint\``,
    fallback: [],
  }),
};

/** The comparators that ask whether something is there at all compare with nothing, so they need no target. */
const comparesWithNothing = ({ comparator }: Mapping): boolean =>
  comparator === "empty" || comparator === "not_empty";
const stringTarget = text({
  does: "What it is compared with. Leave it out only with `empty` and `not_empty`.",
  limit: `${limits.assertionTargetCharsMax} characters`,
  required: (given) => !comparesWithNothing(given),
});
const stringComparator = word(stringComparators, {
  does: "Letter case and spaces count. `gt`, `gte`, `lt` and `lte` compare numbers if both sides are numbers.",
});
const assertionsLimit = `${limits.assertionsMax} assertions`;

const httpArguments: ArgumentsOf<HttpDefinition> = {
  name,
  url: text({
    does: "The address to request. An IPv6 address is in brackets.",
    limit: `${limits.targetCharsMax} characters, http:// or https://`,
  }),
  method: word(httpMethods, { does: "The request method.", fallback: "GET" }),
  body: text({
    does: "The body of the request, for POST, PUT and PATCH.",
    limit: `${limits.requestBodyBytesMax / 1024 / 1024} MiB`,
    fallback: "",
  }),
  follow_redirects: flag({
    does: "Whether redirects are followed, ten at most. With `false` the redirect itself is judged.",
    fallback: true,
  }),
  headers: rows(
    {
      key: text({ does: "The header's name." }),
      value: text({ does: "Its value. No output shows it." }),
    },
    {
      does: "Headers of the request, in this order.",
      limit: `${limits.headersMax} headers`,
      fallback: [],
    },
  ),
  status_code_assertions: rows(
    {
      target: count("", {
        does: "A status code.",
        limit: `${limits.statusCodeMin} to ${limits.statusCodeMax}`,
      }),
      comparator: word(numberComparators, { does: "How the status is compared with it." }),
    },
    {
      does: "What the status has to be. Without any, it has to be in 200 to 299.",
      limit: assertionsLimit,
      fallback: [],
    },
  ),
  body_assertions: rows(
    { target: stringTarget, comparator: stringComparator },
    { does: "What the body has to be.", limit: assertionsLimit, fallback: [] },
  ),
  header_assertions: rows(
    {
      key: text({ does: "The header's name, in any case." }),
      target: stringTarget,
      comparator: stringComparator,
    },
    {
      does: "What headers of the response have to be. A missing header counts as empty.",
      limit: assertionsLimit,
      fallback: [],
    },
  ),
  ...common,
};

const tcpArguments: ArgumentsOf<TcpDefinition> = {
  name,
  uri: text({
    does: "`host:port`. An IPv6 address is in brackets: `[::1]:5432`.",
    limit: `${limits.targetCharsMax} characters`,
  }),
  ...common,
};

const dnsArguments: ArgumentsOf<DnsDefinition> = {
  name,
  uri: text({
    does: "The name to resolve, or `dns:name?server=10.0.0.53` to ask one name server.",
    limit: `${limits.targetCharsMax} characters`,
  }),
  record_assertions: rows(
    {
      record: word(recordTypes, { does: "The type of record." }),
      target: text({
        does: "The expected value.",
        limit: `${limits.assertionTargetCharsMax} characters`,
      }),
      comparator: word(recordComparators, {
        does: "`eq` and `contains` hold when any record of the type does, the others when none does.",
      }),
    },
    {
      does: "What the records have to be. Their types are asked for; without any, A and AAAA.",
      limit: assertionsLimit,
      fallback: [],
    },
  ),
  ...common,
};

/** The arguments of each kind of monitor. */
export const monitorArguments: { readonly [K in Kind]: ArgumentsOf<DefinitionOf<K>> } = {
  http: httpArguments,
  tcp: tcpArguments,
  dns: dnsArguments,
};

/** What the arguments of one monitor read as. */
export type MonitorValues<K extends Kind> = ValuesByKind[K];
type ValuesByKind = { readonly [K in Kind]: ValuesOf<ArgumentsOf<DefinitionOf<K>>> };

/** The list of a monitors file that holds each kind. */
export const listOf = <K extends Kind>(kind: K): `${K}_monitors` => `${kind}_monitors`;

/** The lists of a monitors file. */
export const fileArguments: {
  readonly [K in Kind as `${K}_monitors`]: Argument<readonly MonitorValues<K>[]>;
} = {
  http_monitors: rows(httpArguments, { does: "Requests over HTTP and HTTPS.", fallback: [] }),
  tcp_monitors: rows(tcpArguments, { does: "Connections to a TCP port.", fallback: [] }),
  dns_monitors: rows(dnsArguments, { does: "Questions to name servers.", fallback: [] }),
};
