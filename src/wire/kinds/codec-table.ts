import type { Kind } from "#check/monitor";
import { dnsCodec } from "#wire/kinds/dns-codec";
import { grpcCodec } from "#wire/kinds/grpc-codec";
import { httpCodec } from "#wire/kinds/http-codec";
import { icmpCodec } from "#wire/kinds/icmp-codec";
import type { KindCodec } from "#wire/kinds/kind-codec";
import { tcpCodec } from "#wire/kinds/tcp-codec";

type Codecs = { readonly [K in Kind]: KindCodec<K> };

/** Every kind of check has its codec; a kind without one does not compile. */
const codecs: Codecs = {
  http: httpCodec,
  tcp: tcpCodec,
  dns: dnsCodec,
  icmp: icmpCodec,
  grpc: grpcCodec,
};

export const codecOf = <K extends Kind>(kind: K): KindCodec<K> => codecs[kind];
