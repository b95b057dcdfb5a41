import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { kinds } from "#check/monitor";
import { phaseNames } from "#check/outcome";
import { resultStatuses } from "#check/verdict";
import { attributes } from "#metrics/instrument";
import { instruments } from "#metrics/instruments";
import { serviceInstruments } from "#metrics/service-instruments";
import { prometheusLabel, prometheusName } from "#metrics/prometheus-name";
import { metricsReference } from "../../scripts/metrics-page.ts";

const root = path.resolve(import.meta.dirname, "../..");
const read = (file: string): string => readFileSync(path.join(root, file), "utf8");

const rows = Object.entries(instruments);

describe("the table of instruments", () => {
  test("is what docs/reference/metrics.md says (npm run generate:docs)", () => {
    expect(read("docs/reference/metrics.md")).toBe(metricsReference());
  });
  test("has a line for each that sets it, outside its own files", () => {
    const setting = globSync("src/**/*.ts", { cwd: root })
      .filter((file) => !file.endsWith("-instruments.ts"))
      .map(read)
      .join("");
    const names = Object.keys({ ...instruments, ...serviceInstruments });
    expect(names.filter((name) => !setting.includes(`"${name}"`))).toEqual([]);
  });
  test("names every reason for dropped results that /status has", () => {
    const reasons = [
      ...read("docs/agent-endpoint.md").matchAll(/^\| `reports\.given_up\.(\w+)` /gm),
    ].map(([, reason]) => reason);
    expect(reasons).toHaveLength(4);
    expect(attributes["picket.spool.given_up.reason"]).toMatch(
      RegExp(`^${reasons.slice(0, -1).join(", ")} or ${reasons.at(-1)},`),
    );
  });
  test("names every kind, status and phase that a check may have", () => {
    const listed = (words: readonly string[]): string =>
      words.join(", ").replace(/, (?=[^,]*$)/, " or ");
    expect(attributes["picket.check.kind"]).toBe(listed(kinds));
    expect(attributes["picket.check.status"]).toBe(listed(resultStatuses));
    expect(attributes["picket.check.phase"]).toBe(listed(phaseNames));
  });
  test("gives no two instruments one name in Prometheus", () => {
    const names = rows.map(([name, instrument]) => prometheusName(name, instrument));
    expect(new Set(names).size).toBe(names.length);
  });
  test("names only what Prometheus can, with the unit and _total at the end", () => {
    expect(prometheusName("picket.check.duration", instruments["picket.check.duration"])).toBe(
      "picket_check_duration_seconds",
    );
    expect(prometheusName("process.cpu.time", instruments["process.cpu.time"])).toBe(
      "process_cpu_time_seconds_total",
    );
    expect(prometheusName("probe_duration_seconds", instruments["probe_duration_seconds"])).toBe(
      "probe_duration_seconds",
    );
    for (const [name, instrument] of rows)
      expect(prometheusName(name, instrument)).toMatch(/^[a-z][a-z0-9_]*$/);
  });
  test("gives every histogram bounds that ascend, and nothing else any", () => {
    for (const [name, { kind, bounds }] of rows) {
      expect(bounds !== undefined, name).toBe(kind === "histogram");
      expect(bounds ?? [], name).toEqual([...new Set(bounds)].toSorted((a, b) => a - b));
    }
  });
});

describe("the Grafana dashboard", () => {
  const dashboard: {
    panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
    templating: { list: { name: string; definition?: string }[] };
  } = JSON.parse(read("deploy/grafana/picket.json"));
  const queries = [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...dashboard.templating.list.flatMap(({ definition }) => definition ?? []),
  ];
  const metrics = new Set(
    rows.flatMap(([name, instrument]) => {
      const shown = prometheusName(name, instrument);
      return instrument.kind === "histogram"
        ? ["_bucket", "_sum", "_count"].map((end) => `${shown}${end}`)
        : [shown];
    }),
  );
  const labels = new Set([
    "le",
    "picket_monitor_id",
    "picket_monitor_name",
    ...rows.flatMap(([, instrument]) => instrument.attributes.map(prometheusLabel)),
  ]);

  test("shows a monitor's name next to its id", () => {
    const legends = dashboard.panels.flatMap(({ targets }) =>
      targets.map(({ legendFormat }) => legendFormat),
    );
    const ofMonitors = legends.filter((legend) => legend.includes("picket_monitor_id"));
    expect(ofMonitors).toHaveLength(6);
    for (const legend of ofMonitors)
      expect(legend).toMatch(/^\{\{picket_monitor_name\}\} \{\{picket_monitor_id\}\}/);
  });

  test("queries only metrics and labels that the table has", () => {
    const words = queries.flatMap(
      (query) => query.match(/\b(?:picket|process|nodejs)_[a-z0-9_]+/g) ?? [],
    );
    expect(words.length).toBeGreaterThan(20);
    expect(words.filter((word) => !metrics.has(word) && !labels.has(word))).toEqual([]);
    for (const query of queries)
      expect(
        [...metrics].some((metric) => query.includes(metric)),
        query,
      ).toBe(true);
  });
});
