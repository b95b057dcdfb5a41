import { counted } from "#base/text";
import type { Recovery } from "#service/alerting/recovery";
import type { Incident } from "#service/alerting/incident";
import type { PicturedMonitor } from "#service/operator/picture";
import type { Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import * as limits from "#limits/pages-limits";

/** What an incident waits for, e.g. `Recovering: closes after 1 more passing check at Office (1 of 2 passed)`. */
export function recoveryWords({ short, enough, wanted }: Recovery<string>): string {
  if (enough === 0) return "Recovering: enough checks have passed, and it closes within seconds";
  const alike = [...Map.groupBy(short, ({ passed }) => passed)].toSorted(([a], [b]) => b - a);
  const parts = alike.map(
    ([passed, places]) =>
      `${counted(wanted - passed, "more passing check")} at ${namesOf(places)} (${passed} of ${wanted} passed)`,
  );
  return enough === short.length
    ? `Recovering: closes after ${parts.join(" and ")}`
    : `Recovering: closes after enough passing checks at ${enough} of ${short.length} locations: ${parts.join(", ")}`;
}

function namesOf(places: Recovery<string>["short"]): string {
  const names = places.map(({ location }) => location).toSorted();
  const rest = names.length - limits.namesShown;
  const shown = names.slice(0, limits.namesShown);
  return rest > 0 ? `${shown.join(", ")} and ${counted(rest, "other location")}` : shown.join(", ");
}

/** An open incident whose locations pass again, and not yet often enough: it is shown as neither failing nor over. */
export const isPassingAgain = ({ ended }: Incident, monitor: PicturedMonitor | null): boolean =>
  ended === null && monitor !== null && monitor.recovery !== null && monitor.status === "active";

export const recoveringMark: Html = verdictMark("degraded", "Recovering");
