import { instruments, type InstrumentName } from "#metrics/instruments";
import { prometheusName } from "#metrics/prometheus-name";
import { nearest } from "#base/nearest";

/** Which of the agent's own series a scrape wants. */
export interface Scrape {
  /** The agent's own figures alone, those of the monitors of these ids, or everything. */
  readonly of: "all" | "agent" | ReadonlySet<string>;
  /** Null wants every metric. */
  readonly names: ReadonlySet<InstrumentName> | null;
}

type ScrapeReading =
  | { readonly ok: true; readonly scrape: Scrape }
  | { readonly ok: false; readonly message: string };

/**
 * Reads `?scope=agent`, `?monitor=ID` and `?name[]=METRIC`, the last two as often as is wanted; other parameters are not
 * looked at. A monitor that is not here has no series: it may be another agent's by now. A metric that there is not is
 * a mistake, and a dashboard without it would not say so.
 */
export function readScrape(query: URLSearchParams): ScrapeReading {
  const scope = query.get("scope") || "all";
  const monitors = query.getAll("monitor").filter((id) => id !== "");
  if (scope !== "all" && scope !== "agent") return refused("scope must be agent or all");
  if (scope === "agent" && monitors.length > 0)
    return refused("scope=agent leaves monitors out: give it or monitor");
  const wanted = query.getAll("name[]");
  const unknown = wanted.find((name) => !byName.has(name));
  if (unknown !== undefined) return refused(`name[] must be a metric${meant(unknown)}`);
  return {
    ok: true,
    scrape: {
      of: monitors.length > 0 ? new Set(monitors) : scope,
      names: wanted.length > 0 ? new Set(wanted.flatMap((name) => byName.get(name) ?? [])) : null,
    },
  };
}

const refused = (message: string): ScrapeReading => ({ ok: false, message });

/** By the name that Prometheus gives an instrument; of a histogram, without what its series have behind it. */
const byName: ReadonlyMap<string, InstrumentName> = new Map(
  Object.entries(instruments).map(([name, instrument]) => [
    prometheusName(name, instrument),
    name as InstrumentName,
  ]),
);

function meant(unknown: string): string {
  const near = nearest(unknown, byName.keys());
  return near === null ? ": docs/reference/metrics.md has them all" : `; did you mean ${near}?`;
}
