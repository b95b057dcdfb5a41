import { ValueType } from "@opentelemetry/api";
import { JsonMetricsSerializer, ProtobufMetricsSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type MetricData,
} from "@opentelemetry/sdk-metrics";
import { instruments, type InstrumentName } from "#metrics/instruments";
import type { Point } from "#metrics/otlp-points";
import type { OtlpProtocol } from "#check/agent-words";
import { type Attributes, countOf } from "#metrics/series";
import type { EpochMillis } from "#base/units";

/** The body of one export. This file alone knows OpenTelemetry's packages, and is loaded at the first export. */
export function encodePoints(
  points: readonly Point[],
  resource: Attributes,
  protocol: OtlpProtocol,
): Uint8Array {
  const serializer = protocol === "http/json" ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  const byInstrument = Map.groupBy(points, ({ series }) => series.instrument);
  const metrics = [...byInstrument].map(([name, some]) => metricOf(name, some));
  const body = serializer.serializeRequest({
    resource: resourceFromAttributes({ ...resource }),
    scopeMetrics: [{ scope: { name: "picket" }, metrics }],
  });
  if (body === undefined) throw new TypeError("the points could not be encoded");
  return body;
}

/** How many points a collector says it did not take, and why; null where it says nothing of the kind. */
export function rejectionIn(
  answer: Uint8Array,
  protocol: OtlpProtocol,
): { readonly points: number; readonly reason: string } | null {
  const serializer = protocol === "http/json" ? JsonMetricsSerializer : ProtobufMetricsSerializer;
  try {
    const { partialSuccess } = serializer.deserializeResponse(answer);
    const points = partialSuccess?.rejectedDataPoints ?? 0;
    return points > 0 ? { points, reason: partialSuccess?.errorMessage ?? "" } : null;
  } catch {
    // Many collectors answer with their own word; the status has said that they took it.
    return null;
  }
}

function metricOf(name: InstrumentName, points: readonly Point[]): MetricData {
  const { kind, unit, does, whole, bounds = [] } = instruments[name];
  const valueType = whole === true ? ValueType.INT : ValueType.DOUBLE;
  const base = {
    descriptor: { name, description: does, unit, valueType },
    aggregationTemporality:
      points[0]?.delta === true ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE,
  };
  switch (kind) {
    case "histogram":
      return {
        ...base,
        dataPointType: DataPointType.HISTOGRAM,
        dataPoints: points.map((point) =>
          pointOf(point, {
            buckets: { boundaries: [...bounds], counts: [...(point.counts ?? [])] },
            sum: point.value,
            count: countOf(point),
          }),
        ),
      };
    case "gauge":
    case "counter":
    case "up_down_counter": {
      const dataPoints = points.map((point) => pointOf(point, point.value));
      return kind === "gauge"
        ? { ...base, dataPointType: DataPointType.GAUGE, dataPoints }
        : {
            ...base,
            dataPointType: DataPointType.SUM,
            isMonotonic: kind === "counter",
            dataPoints,
          };
    }
  }
}

const pointOf = <T>({ series, from, to }: Point, value: T): DataPoint<T> => ({
  attributes: { ...series.shared, ...series.more },
  startTime: hrTime(from),
  endTime: hrTime(to),
  value,
});

const hrTime = (at: EpochMillis): [number, number] => [Math.floor(at / 1e3), (at % 1e3) * 1e6];
