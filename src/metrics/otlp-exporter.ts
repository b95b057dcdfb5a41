import {
  AggregationTemporalityPreference,
  OTLPMetricExporterBase,
} from "@opentelemetry/exporter-metrics-otlp-http";
import {
  createOtlpNetworkExportDelegate,
  type ExportResponse,
  ExporterMetrics,
  type IExporterTransport,
} from "@opentelemetry/otlp-exporter-base";
import {
  type IExportMetricsServiceResponse,
  type ISerializer,
  JsonMetricsSerializer,
  MetricsExporterMetricsHelper,
  ProtobufMetricsSerializer,
} from "@opentelemetry/otlp-transformer";
import type { ResourceMetrics } from "@opentelemetry/sdk-metrics";
import type { OtlpProtocol } from "#check/agent-words";
import type { PostOutcome } from "#metrics/post";

/** What became of an export; `rejectedPoints` are those that the collector took the rest without. */
interface ExportOutcome {
  readonly posted: PostOutcome;
  readonly rejectedPoints: number;
}

/**
 * Exports by OpenTelemetry's own exporter, with `post` as its way to the collector. So the guard, the trust and the headers
 * are those of this agent, and the exporter reads nothing of the environment. It tries once: when to try again is the
 * pipeline's to say, which knows what the collector asked for. Rejects if nothing could be posted by a fault of our own.
 */
export async function exportOnce(
  metrics: ResourceMetrics,
  protocol: OtlpProtocol,
  post: (body: Uint8Array) => Promise<PostOutcome>,
): Promise<ExportOutcome> {
  let posted: PostOutcome | null = null;
  let rejectedPoints = 0;
  const transport: IExporterTransport = {
    send: async (body) => answerOf((posted = await post(body))),
    shutdown: () => {},
  };
  const written = protocol === "http/json" ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  const serializer: ISerializer<ResourceMetrics, IExportMetricsServiceResponse> = {
    serializeRequest: (request) => written.serializeRequest(request),
    deserializeResponse: (answer) => {
      const response = written.deserializeResponse(answer);
      rejectedPoints = response.partialSuccess?.rejectedDataPoints ?? 0;
      return response;
    },
  };
  const delegate = createOtlpNetworkExportDelegate(once, serializer, unmeasured, transport);
  const exporter = new OTLPMetricExporterBase(delegate, cumulative);
  const { promise, resolve } = Promise.withResolvers<Error | undefined>();
  exporter.export(metrics, ({ error }) => resolve(error));
  const error = await promise;
  if (posted === null) throw error ?? new TypeError("the points could not be encoded");
  return { posted, rejectedPoints };
}

const answerOf = (posted: PostOutcome): ExportResponse =>
  posted.outcome === "taken"
    ? { status: "success", data: posted.answer }
    : { status: "failure", error: new Error(posted.reason) };

/** The transport bounds itself. */
const once = { timeoutMillis: 0, concurrencyLimit: 1, compression: "none" } as const;
/** No figures of the exporter: the pipeline counts its exports. */
const unmeasured = new ExporterMetrics<ResourceMetrics>({
  componentType: "otlp_http_metric_exporter",
  metricsHelper: MetricsExporterMetricsHelper,
  url: undefined,
  meterProvider: undefined,
  responseAttributesFromError: () => ({}),
});
/** Said so that it is not looked for in the environment; the points bring their own. */
const cumulative = { temporalityPreference: AggregationTemporalityPreference.CUMULATIVE };
