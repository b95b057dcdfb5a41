import type { OtlpProtocol } from "#check/agent-words";
import type { Header } from "#check/monitor";

/** Where metrics are posted to. Headers, user-info and query are secrets. */
export interface Collector {
  /** The whole URL, path included. */
  readonly url: string;
  readonly headers: readonly Header[];
  readonly protocol: OtlpProtocol;
  readonly gzip: boolean;
}

/** The URL of a base endpoint: the path as it is given, `/v1/metrics` where there is none. */
export function metricsUrl(endpoint: string): string {
  const url = new URL(endpoint);
  if (url.pathname === "/") url.pathname = "/v1/metrics";
  return url.href;
}
