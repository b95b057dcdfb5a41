import { ValueType } from "@opentelemetry/api";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type MetricData,
  type ResourceMetrics,
} from "@opentelemetry/sdk-metrics";
import { instruments, type InstrumentName } from "#metrics/instruments";
import type { Point } from "#metrics/otlp-points";
import { type Attributes, countOf } from "#metrics/series";
import type { EpochMillis } from "#base/units";

/** Points as OpenTelemetry's exporter takes them. */
export const metricsOf = (points: readonly Point[], resource: Attributes): ResourceMetrics => ({
  resource: resourceFromAttributes({ ...resource }),
  scopeMetrics: [
    {
      scope: { name: "picket" },
      metrics: [...Map.groupBy(points, ({ series }) => series.instrument)].map(([name, some]) =>
        metricOf(name, some),
      ),
    },
  ],
});

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
