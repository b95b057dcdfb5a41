import type { CheckReport } from "#cli/check/report/check-report";
import { systemClock } from "#base/clock";
import { noteCheck } from "#metrics/check-metrics";
import { MetricStore } from "#metrics/metric-store";
import { prometheusText } from "#metrics/prometheus-text";
import { version } from "#base/version";

/**
 * The agent's metrics of these checks in Prometheus' text, those in the names of blackbox_exporter among them: for the
 * text files that node_exporter collects.
 */
export function prometheusReport(): CheckReport {
  const store = new MetricStore(systemClock);
  return {
    add: ({ monitor, called, target, result }) => {
      // The typed target may hold a secret in its query.
      const named = called === target ? { ...monitor, id: target } : { ...monitor, name: called };
      noteCheck(store, result, named, ["blackbox"]);
      return "";
    },
    end: () =>
      [
        ...prometheusText({
          series: store.byInstrument(),
          names: null,
          resource: { "service.name": "picket", "service.version": version() },
        }),
      ].join(""),
  };
}
