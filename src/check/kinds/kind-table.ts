import { type Argument, type Arguments, rows, type ValuesOf } from "#check/argument";
import { dnsKind } from "#check/kinds/dns/dns-kind";
import { grpcKind } from "#check/kinds/grpc/grpc-kind";
import { httpKind } from "#check/kinds/http/http-kind";
import { icmpKind } from "#check/kinds/icmp/icmp-kind";
import type { KindEntry, MonitorValues, Server } from "#check/kinds/kind-entry";
import { tcpKind } from "#check/kinds/tcp/tcp-kind";
import type { DefinitionOf } from "#check/definition";
import type { Header, Kind, TargetOf } from "#check/monitor";

/** Every kind of check, and what is said of it; a kind without an entry does not compile. */
export const kindTable: { readonly [K in Kind]: KindEntry<K> } = {
  http: httpKind,
  tcp: tcpKind,
  dns: dnsKind,
  icmp: icmpKind,
  grpc: grpcKind,
};

const listed = <A extends Arguments>(table: A, does: string): Argument<readonly ValuesOf<A>[]> =>
  rows(table, { does, fallback: [] });

/** The lists of a monitors file. */
export const fileArguments: {
  readonly [K in Kind as `${K}_monitors`]: Argument<readonly MonitorValues<K>[]>;
} = {
  http_monitors: listed(httpKind.arguments, httpKind.does),
  tcp_monitors: listed(tcpKind.arguments, tcpKind.does),
  dns_monitors: listed(dnsKind.arguments, dnsKind.does),
  icmp_monitors: listed(icmpKind.arguments, icmpKind.does),
  grpc_monitors: listed(grpcKind.arguments, grpcKind.does),
};

/** The one field of a definition that says where to look. */
export function uriOf<K extends Kind>(kind: K, definition: DefinitionOf<K>): string {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.uri(definition);
}

/** What is sent under names that a monitor chooses. */
export function sentHeaders<K extends Kind>(kind: K, target: TargetOf<K>): readonly Header[] {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.sent?.headers(target) ?? [];
}

/** What everyone has to know wherever a target is shown; empty: nothing. */
export function cautionOf<K extends Kind>(kind: K, definition: DefinitionOf<K>): string {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.caution(definition);
}

/** Whom a target asks; null if that is not for it to say. */
export function serverOf<K extends Kind>(kind: K, target: TargetOf<K>): Server | null {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.server(target);
}
