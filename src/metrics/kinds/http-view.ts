import type { HttpOutcome } from "#check/outcome";
import type { Result } from "#check/result";
import { showUrl } from "#check/target";
import { firstValue } from "#network/http/headers";
import {
  blackboxGauge,
  type FigureSink,
  type Instruments,
  type KindView,
  milliseconds,
  openStatusGauge,
  seconds,
} from "#metrics/kinds/kind-view";

type HttpBlackboxName =
  | "probe_failed_due_to_regex"
  | "probe_http_duration_seconds"
  | "probe_http_status_code"
  | "probe_http_version"
  | "probe_http_redirects"
  | "probe_http_ssl"
  | "probe_http_content_length"
  | "probe_http_uncompressed_body_length";

type HttpOpenStatusName =
  | "openstatus.http.request.duration"
  | "openstatus.http.dns.duration"
  | "openstatus.http.connection.duration"
  | "openstatus.http.tls.duration"
  | "openstatus.http.ttfb.duration"
  | "openstatus.http.transfer.duration";

export const httpBlackbox: Instruments<HttpBlackboxName> = {
  probe_failed_due_to_regex: blackboxGauge("", "1 if an assertion failed, otherwise 0"),
  probe_http_duration_seconds: blackboxGauge("s", "Duration of the HTTP request by phase", "phase"),
  probe_http_status_code: blackboxGauge(
    "",
    "Status code of the final response, 0 if there was none",
  ),
  probe_http_version: blackboxGauge("", "HTTP version of the final response"),
  probe_http_redirects: blackboxGauge("", "Redirects that were followed"),
  probe_http_ssl: blackboxGauge("", "1 if the final request was sent over TLS, otherwise 0"),
  probe_http_content_length: blackboxGauge("", "Content-Length of the final response, -1 without"),
  probe_http_uncompressed_body_length: blackboxGauge("", "Bytes of the decoded body"),
};

const gauge = (does: string) => openStatusGauge(does, "http.response.status_code");

export const httpOpenStatus: Instruments<HttpOpenStatusName> = {
  "openstatus.http.request.duration": gauge("Latency of the HTTP check, as reported"),
  "openstatus.http.dns.duration": gauge("Resolving the name, 0 if none was resolved"),
  "openstatus.http.connection.duration": gauge("Connecting, with the proxy's tunnel"),
  "openstatus.http.tls.duration": gauge("The TLS handshake, 0 if there was none"),
  "openstatus.http.ttfb.duration": gauge("From the open connection to the first byte"),
  "openstatus.http.transfer.duration": gauge("The rest of the response"),
};

export const httpView: KindView<"http", HttpBlackboxName | HttpOpenStatusName> = {
  attributes: ({ url }) => ({ "url.full": showUrl(url) }),
  own: () => {},
  blackbox,
  openStatus,
  answered: ({ response }) => ({ "http.response.status_code": response?.statusCode ?? 0 }),
};

function blackbox(
  sink: FigureSink<HttpBlackboxName>,
  { phases, response, hops }: HttpOutcome,
  { failure }: Result,
): void {
  const { dns, connect, proxy, tls, write, wait, receive } = phases;
  const durations = {
    resolve: seconds(dns),
    connect: seconds(connect) + seconds(proxy),
    tls: seconds(tls),
    // There it lasts from the connection that is ready to the first byte.
    processing: seconds(write) + seconds(wait),
    transfer: seconds(receive),
  };
  for (const [phase, took] of Object.entries(durations))
    sink.set("probe_http_duration_seconds", took, { phase });
  sink.set("probe_http_status_code", response?.statusCode ?? 0);
  sink.set("probe_http_version", Number(response?.version ?? 0));
  sink.set("probe_http_redirects", Math.max(0, hops.length - 1));
  sink.set("probe_http_ssl", hops.at(-1)?.url.startsWith("https:") === true ? 1 : 0);
  sink.set("probe_failed_due_to_regex", failure?.code === "assertion_failed" ? 1 : 0);
  if (response === null) return;
  const length = firstValue(response.headers, "content-length");
  sink.set("probe_http_content_length", /^\d{1,15}$/.test(length ?? "") ? Number(length) : -1);
  sink.set("probe_http_uncompressed_body_length", response.bodyBytes);
}

function openStatus(
  sink: FigureSink<HttpOpenStatusName>,
  outcome: HttpOutcome,
  { status, latency }: Result,
): void {
  if (status === "error") return;
  const { dns, connect, proxy, tls, write, wait, receive } = outcome.phases;
  const figures: readonly (readonly [HttpOpenStatusName, number])[] = [
    ["openstatus.http.request.duration", latency],
    ["openstatus.http.dns.duration", milliseconds(dns)],
    ["openstatus.http.connection.duration", milliseconds(connect, proxy)],
    ["openstatus.http.tls.duration", milliseconds(tls)],
    ["openstatus.http.ttfb.duration", milliseconds(write, wait)],
    ["openstatus.http.transfer.duration", milliseconds(receive)],
  ];
  for (const [name, value] of figures) {
    // Another status code is another series: the last one's figure holds no more.
    sink.drop(name);
    sink.set(name, value, httpView.answered(outcome));
  }
}
