import { describe, expect, test } from "vitest";
import { readConfig } from "#agent/settings/config";
import { readOtelSettings } from "#agent/settings/otel-settings";

const collectorOf = (env: Record<string, string>) => readOtelSettings(env).settings.collector;
const base = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c.test:4318" };

describe("OpenTelemetry's standard environment", () => {
  test("sends nothing unless an endpoint is set, nor if it is switched off", () => {
    expect(collectorOf({})).toBeNull();
    expect(collectorOf({ ...base, OTEL_SDK_DISABLED: "true" })).toBeNull();
    expect(collectorOf({ ...base, OTEL_METRICS_EXPORTER: "none" })).toBeNull();
  });
  test("has defaults, and the path of metrics below the endpoint of all signals", () => {
    expect(readOtelSettings(base)).toMatchObject({
      settings: {
        collector: {
          url: "http://c.test:4318/v1/metrics",
          headers: [],
          protocol: "http/protobuf",
          gzip: false,
          authorities: null,
        },
        timeout: 10_000,
        interval: 60_000,
        temporality: "cumulative",
        resource: {},
      },
      errors: [],
      warnings: [],
    });
    expect(collectorOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c.test/base/" })?.url).toBe(
      "http://c.test/base/v1/metrics",
    );
    expect(
      collectorOf({ ...base, OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://m.test/x" })?.url,
    ).toBe("http://m.test/x");
  });
  test("says what metrics have apart from other signals, decoded", () => {
    const env = {
      ...base,
      OTEL_EXPORTER_OTLP_HEADERS: "a=1",
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: "Authorization=Bearer%20x%3D,b=2",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
      OTEL_EXPORTER_OTLP_TIMEOUT: "5000",
      OTEL_EXPORTER_OTLP_METRICS_TIMEOUT: "2500",
      OTEL_METRIC_EXPORT_INTERVAL: "15000",
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "Delta",
      OTEL_RESOURCE_ATTRIBUTES: "team=net%2Cops,service.name=ignored",
      OTEL_SERVICE_NAME: "edge",
    };
    expect(readOtelSettings(env)).toMatchObject({
      settings: {
        collector: {
          headers: [
            { key: "Authorization", value: "Bearer x=" },
            { key: "b", value: "2" },
          ],
          protocol: "http/json",
          gzip: true,
        },
        timeout: 2_500,
        interval: 15_000,
        temporality: "delta",
        resource: { team: "net,ops", "service.name": "edge" },
      },
      errors: [],
    });
  });
  test("reports every mistake by the name of its variable, and quotes no secret", () => {
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: "hunter2",
      OTEL_EXPORTER_OTLP_HEADERS: "hunter2",
      OTEL_EXPORTER_OTLP_PROTOCOL: "grpc",
      OTEL_EXPORTER_OTLP_COMPRESSION: "zstd",
      OTEL_EXPORTER_OTLP_TIMEOUT: "10s",
      OTEL_METRIC_EXPORT_INTERVAL: "0",
      OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "both",
      OTEL_EXPORTER_OTLP_CERTIFICATE: "/nowhere.pem",
      OTEL_EXPORTER_OTLP_CLIENT_KEY: "/key.pem",
    };
    const { errors, warnings } = readOtelSettings(env);
    expect(errors.toSorted((a, b) => a.localeCompare(b))).toEqual([
      "OTEL_EXPORTER_OTLP_CERTIFICATE cannot be used: ENOENT (/nowhere.pem)",
      "OTEL_EXPORTER_OTLP_COMPRESSION must be gzip or none",
      "OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL, e.g. http://127.0.0.1:4318",
      "OTEL_EXPORTER_OTLP_HEADERS must be pairs of name=value, separated by commas, percent-encoded",
      "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE must be cumulative or delta or lowmemory",
      "OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf or http/json",
      "OTEL_EXPORTER_OTLP_TIMEOUT must be a number of milliseconds above zero, e.g. 60000",
      "OTEL_METRIC_EXPORT_INTERVAL must be a number of milliseconds above zero, e.g. 60000",
    ]);
    expect(errors.join()).not.toContain("hunter2");
    expect(warnings).toEqual([
      "OTEL_EXPORTER_OTLP_CLIENT_KEY has no effect: metrics are sent without a client certificate",
    ]);
  });
  test("is part of the agent's configuration, next to Picket's own two settings", () => {
    const reading = readConfig({
      ...base,
      PICKET_TOKEN: "t",
      PICKET_METRICS_VIEWS: "collector, blackbox",
      PICKET_METRICS_PROTOCOL: "http/json",
    });
    expect(reading).toMatchObject({
      ok: true,
      config: {
        metricsViews: ["collector", "blackbox"],
        metricsProtocol: "http/json",
        otel: { interval: 60_000 },
      },
    });
    expect(
      readConfig({
        PICKET_TOKEN: "t",
        PICKET_METRICS_VIEWS: "datadog",
        OTEL_METRIC_EXPORT_INTERVAL: "x",
      }),
    ).toMatchObject({
      ok: false,
      errors: [
        "PICKET_METRICS_VIEWS must be collector, blackbox and openstatus, or some of them, separated by commas",
        "OTEL_METRIC_EXPORT_INTERVAL must be a number of milliseconds above zero, e.g. 60000",
      ],
    });
  });
});
