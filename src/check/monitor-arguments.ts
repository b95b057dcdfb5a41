import { type Argument, rows, type ValuesOf } from "#check/argument";
import type { DefinitionOf } from "#check/definition";
import type { ArgumentsOf } from "#check/kinds/common-arguments";
import { kindTable } from "#check/kinds/kind-table";
import type { Kind } from "#check/monitor";

/*
 * The arguments of a monitor by the names of the specification: a file is read by these
 * tables, and docs/reference/monitors.md is made from them. What a value may be is judged by the rules that calls share.
 */

/** The arguments of each kind of monitor. */
export const monitorArguments: { readonly [K in Kind]: ArgumentsOf<DefinitionOf<K>> } = {
  http: kindTable.http.arguments,
  tcp: kindTable.tcp.arguments,
  dns: kindTable.dns.arguments,
  icmp: kindTable.icmp.arguments,
  grpc: kindTable.grpc.arguments,
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
  http_monitors: rows(monitorArguments.http, { does: kindTable.http.does, fallback: [] }),
  tcp_monitors: rows(monitorArguments.tcp, { does: kindTable.tcp.does, fallback: [] }),
  dns_monitors: rows(monitorArguments.dns, { does: kindTable.dns.does, fallback: [] }),
  icmp_monitors: rows(monitorArguments.icmp, { does: kindTable.icmp.does, fallback: [] }),
  grpc_monitors: rows(monitorArguments.grpc, { does: kindTable.grpc.does, fallback: [] }),
};
