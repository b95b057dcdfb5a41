import type { Severity } from "#service/alerting/incident";
import type { IncidentTurn } from "#service/store/alert-store";
import type { EpochMillis } from "#base/units";

/** A stretch of trouble; `to` is null while it lasts. */
interface Trouble {
  readonly from: EpochMillis;
  readonly to: EpochMillis | null;
}

/** One that was as bad from its beginning to its end. */
interface SeverePart extends Trouble {
  readonly severity: Severity;
}

/** A stretch of an incident, cut where it became slow or down. Of one whose turns are not kept, all of it was down. */
export function severeParts(span: Trouble, turns: readonly IncidentTurn[]): readonly SeverePart[] {
  const inside = turns.filter(({ at }) => at >= span.from && (span.to === null || at < span.to));
  const cuts = beginsWith(inside[0]) ? inside.slice(1) : inside;
  let severity = beginsWith(inside[0])
    ? inside[0].severity
    : (turns.findLast(({ at }) => at < span.from)?.severity ?? "error");
  let { from } = span;
  const parts: SeverePart[] = [];
  for (const turn of cuts) {
    if (turn.severity === severity) continue;
    parts.push({ from, to: turn.at, severity });
    ({ severity, at: from } = turn);
  }
  return [...parts, { from, to: span.to, severity }];
}

/** That it opened was noticed a few checks after it began: it was so from its beginning. */
const beginsWith = (turn: IncidentTurn | undefined): turn is IncidentTurn =>
  turn !== undefined && turn.kind !== "worsened" && turn.kind !== "eased";
