import { type Kind, kinds } from "#check/monitor";

/** What files describe, as a person names it: each kind of monitor, and the rest. */
export type ObjectWord = Kind | "location" | "notification" | "page" | "maintenance";
export const objectWords: readonly ObjectWord[] = [
  ...kinds,
  "location",
  "notification",
  "page",
  "maintenance",
];

/** The service's own words for the same. */
export const serviceWords: { readonly [W in ObjectWord]: string } = {
  http: "http_monitor",
  tcp: "tcp_monitor",
  dns: "dns_monitor",
  icmp: "icmp_monitor",
  grpc: "grpc_monitor",
  location: "private_location",
  notification: "notification",
  page: "status_page",
  maintenance: "maintenance",
};
