import { type Bytes, kibibytes, type Millis, minutes, seconds } from "#base/units";

/* Series, and the collectors that they are sent to. */

/* Series */

/** Nine in ten agents have under a hundred monitors; 10,000 with all their phases fit, at 0.1 KB a series. */
export const metricSeriesMax = 150_000;
/** How soon what a monitor was is forgotten once it has gone. */
export const metricsReconcileEvery: Millis = seconds(10);
/** A piece of the metrics' text takes a millisecond or two to make, and the main thread is free between two. */
export const metricsPieceChars = 65_536;

/* Collectors */

/** Each is a connection and a compression a minute; more collectors than this are a loop in a template. */
export const metricPipelinesMax = 256;
/** OTEL_METRIC_EXPORT_INTERVAL and OTEL_EXPORTER_OTLP_TIMEOUT, as OpenTelemetry sets them. */
export const metricsInterval: Millis = minutes(1);
/** Some 0.2 MB: collectors take 4 to 20 MB, and encoding it holds the main thread for some 10 ms. */
export const metricPointsPerPost = 1_000;
export const metricsPostTimeout: Millis = seconds(10);
/** An answer says in a few bytes how much was not taken. */
export const metricsAnswerBytesMax: Bytes = kibibytes(64);
/** The next export holds the same and more, so patience with one is short. */
export const metricsTriesMax = 5;
export const metricsBackoffMax: Millis = seconds(5);
/**
 * A collector that is named no more has this long for the last figures; a stop waits for no collector any longer, and has
 * waited for the service: Docker kills after 10 s.
 */
export const metricsCloseWithin: Millis = seconds(3);
