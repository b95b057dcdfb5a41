/* Words of the agent's settings, which its rooms and the reading of settings share. */

/** The shapes in which the figures of a check are exported. */
export const metricsViews = ["collector", "blackbox", "openstatus"] as const;
export type MetricsView = (typeof metricsViews)[number];

/** How metrics are posted to a collector. */
export const otlpProtocols = ["http/protobuf", "http/json"] as const;
export type OtlpProtocol = (typeof otlpProtocols)[number];

/** Whether probes use sockets of our own: `auto` does if they pass their test on this machine. */
export const rawSocketsSettings = ["auto", "on", "off"] as const;
export type RawSockets = (typeof rawSocketsSettings)[number];
