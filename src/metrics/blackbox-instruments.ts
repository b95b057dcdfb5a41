import { blackboxGauge as gauge, type Instruments } from "#metrics/kinds/kind-view";
import { kindBlackbox, type KindBlackboxName } from "#metrics/kinds/view-table";

export type BlackboxInstrumentName =
  | "probe_success"
  | "probe_duration_seconds"
  | "probe_dns_lookup_time_seconds"
  | "probe_ip_protocol"
  | "probe_ssl_earliest_cert_expiry"
  | "probe_tls_version_info"
  | KindBlackboxName;

/** As blackbox_exporter names them, for dashboards that exist; in the Prometheus text alone. */
export const blackboxInstruments: Instruments<BlackboxInstrumentName> = {
  probe_success: gauge("", "1 if the check did not fail, otherwise 0"),
  probe_duration_seconds: gauge("s", "How long the check took"),
  probe_dns_lookup_time_seconds: gauge("s", "How long the resolution of the target's name took"),
  probe_ip_protocol: gauge("", "4 or 6, whichever was connected by"),
  probe_ssl_earliest_cert_expiry: gauge("", "When the certificate ends, as Unix time"),
  probe_tls_version_info: gauge("", "1 for the TLS version of the connection", "version"),
  ...kindBlackbox,
};
