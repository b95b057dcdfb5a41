import { html, type Html } from "#web/page/html";
import { minuteOf } from "#web/page/moment";
import { counted } from "#web/page/format";
import * as limits from "#limits/pages-limits";
import type { PicturedMonitor } from "#service/operator/picture";
import type { ComponentRow, ReportRow } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";

/** A component of a report whose monitor fails or is degraded now. */
export interface FailingComponent {
  readonly name: string;
  readonly status: "error" | "degraded";
  /** Null if that is not known. */
  readonly since: EpochMillis | null;
}

/** In the order of the page. */
export function failingComponents(
  report: Pick<ReportRow, "components">,
  components: readonly ComponentRow[],
  monitors: readonly PicturedMonitor[],
): readonly FailingComponent[] {
  const concerned = components.filter(({ id }) => report.components.includes(id));
  const checked = new Set<number | null>(concerned.map(({ monitor }) => monitor));
  const seen = new Map<number | null, PicturedMonitor>(
    monitors.filter(({ id }) => checked.has(id)).map((one) => [one.id, one]),
  );
  return concerned.flatMap(({ name, monitor }) => {
    const now = seen.get(monitor);
    if (now === undefined || (now.status !== "error" && now.status !== "degraded")) return [];
    return [{ name, status: now.status, since: now.incident?.since ?? now.since }];
  });
}

/** Next to the state that a person chooses: whoever resolves the report knows what the page then shows. */
export function failingNote(failing: readonly FailingComponent[], isResolving: boolean): Html {
  const shown = failing.slice(0, limits.namesShown);
  const rest = failing.length - shown.length;
  const next = isResolving ? "Resolve anyway?" : "If you resolve the report now:";
  const one = failing.length === 1;
  return html`<div class="notice warn">
    <p>
      ${shown.map(sentenceOf)}
      ${rest === 0 ? null : `${counted(rest, "other component")} ${rest === 1 ? "is" : "are"} not well, either. `}${next}
      ${isResolving ? "The" : "the"} page then shows ${one ? "it" : "them"} as
      ${failing.some(({ status }) => status === "error") ? "down" : "degraded"}, without a report.
    </p>
  </div>`;
}

const sentenceOf = ({ name, status, since }: FailingComponent): Html =>
  html`<strong>${name} ${status === "error" ? "still fails" : "is still degraded"}</strong
    >${since === null ? null : html` since ${minuteOf(since)}`}. `;
