import type { Kind } from "#check/monitor";
import { dnsBlackbox, dnsOpenStatus, dnsView } from "#metrics/kinds/dns-view";
import { grpcBlackbox, grpcOpenStatus, grpcView } from "#metrics/kinds/grpc-view";
import { httpBlackbox, httpOpenStatus, httpView } from "#metrics/kinds/http-view";
import { icmpBlackbox, icmpOpenStatus, icmpView } from "#metrics/kinds/icmp-view";
import type { Instruments, KindView } from "#metrics/kinds/kind-view";
import { tcpOpenStatus, tcpView } from "#metrics/kinds/tcp-view";

/** The name of each instrument of these tables. */
type NameIn<T> = T extends Instruments<infer N> ? N : never;

export type KindBlackboxName = NameIn<
  typeof httpBlackbox | typeof dnsBlackbox | typeof icmpBlackbox | typeof grpcBlackbox
>;
export type KindOpenStatusName = NameIn<
  | typeof httpOpenStatus
  | typeof tcpOpenStatus
  | typeof dnsOpenStatus
  | typeof icmpOpenStatus
  | typeof grpcOpenStatus
>;

export const kindBlackbox: Instruments<KindBlackboxName> = {
  ...httpBlackbox,
  ...dnsBlackbox,
  ...icmpBlackbox,
  ...grpcBlackbox,
};

export const kindOpenStatus: Instruments<KindOpenStatusName> = {
  ...httpOpenStatus,
  ...tcpOpenStatus,
  ...dnsOpenStatus,
  ...icmpOpenStatus,
  ...grpcOpenStatus,
};

type KindName =
  | KindBlackboxName
  | KindOpenStatusName
  | "picket.check.echo.loss"
  | "picket.check.echo.jitter";

const views: { readonly [K in Kind]: KindView<K, KindName> } = {
  http: httpView,
  tcp: tcpView,
  dns: dnsView,
  icmp: icmpView,
  grpc: grpcView,
};

/** Every kind of check has its view; a kind without one does not compile. */
export const viewOf = <K extends Kind>(kind: K): KindView<K, KindName> => views[kind];
