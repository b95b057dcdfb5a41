import { counted, grouped } from "#web/page/format";
import type { OverviewRows } from "#service/operator/overview-rows";

/** How all monitors are: `12 monitors at 2 locations, all passing`, or `1 failing, 3 recovering, of 12 monitors at 2 locations`. */
export function verdictOfAll(counts: OverviewRows["counts"], locations: number): string {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (all === 0) return "No monitors";
  const at = `${counted(all, "monitor")} at ${counted(locations, "location")}`;
  const trouble = [
    [counts.error, "failing"],
    [counts.flapping, "flapping"],
    [counts.degraded, "degraded"],
    [counts.unknown, "without data"],
  ] as const;
  const isWell = trouble.every(([count]) => count === 0);
  const passing = isWell && counts.recovering === 0 ? counts.active : 0;
  // Their checks pass, but their incidents are open: "all passing" would contradict the number of those.
  const recovering = [counts.recovering, "recovering"] as const;
  const parts = [
    ...trouble,
    recovering,
    [passing, "passing"],
    [counts.inactive, "paused"],
  ] as const;
  const said = parts.filter(([count]) => count > 0);
  const [only, ...others] = said;
  return isWell && only?.[0] === all && others.length === 0
    ? `${at}, all ${only[1]}`
    : `${said.map(([count, word]) => `${grouped(count)} ${word}`).join(", ")}, of ${at}`;
}
