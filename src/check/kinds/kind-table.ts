import { dnsKind } from "#check/kinds/dns/dns-kind";
import { grpcKind } from "#check/kinds/grpc/grpc-kind";
import { httpKind } from "#check/kinds/http/http-kind";
import { icmpKind } from "#check/kinds/icmp/icmp-kind";
import type { KindEntry, Server } from "#check/kinds/kind-entry";
import { tcpKind } from "#check/kinds/tcp/tcp-kind";
import type { DefinitionOf } from "#check/definition";
import type { Kind, TargetOf } from "#check/monitor";

/** Every kind of check, and what is said of it; a kind without an entry does not compile. */
export const kindTable: { readonly [K in Kind]: KindEntry<K> } = {
  http: httpKind,
  tcp: tcpKind,
  dns: dnsKind,
  icmp: icmpKind,
  grpc: grpcKind,
};

/** The one field of a definition that says where to look. */
export function uriOf<K extends Kind>(kind: K, definition: DefinitionOf<K>): string {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.uri(definition);
}

/** Whom a target asks; null if that is not for it to say. */
export function serverOf<K extends Kind>(kind: K, target: TargetOf<K>): Server | null {
  const entry: KindEntry<K> = kindTable[kind];
  return entry.server(target);
}
