import { pairWords } from "#service/operator/lists/label-words";
import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { silencedMax } from "#limits/alerts-limits";
import type { Picture, PicturedMonitor } from "#service/operator/picture";
import { labelsOf } from "#service/operator/pictures/label-pairs";

/* New work for all monitors of a label at once: a person with a thousand of them ticks no box. */

/** The monitors that a new form begins with, by `?label=team:shop`; none if they are more than one work may name. */
interface LabelChoice {
  readonly label: string;
  readonly monitors: readonly number[];
  readonly found: number;
}

export function chosenByLabel(
  { monitors }: { readonly monitors: readonly Pick<PicturedMonitor, "id" | "labels">[] },
  query: URLSearchParams,
): LabelChoice | null {
  const label = query.get("label") ?? "";
  if (label === "") return null;
  const ids = monitors.filter((one) => labelsOf([one]).includes(label)).map(({ id }) => id);
  return { label, monitors: ids.length > silencedMax ? [] : ids, found: ids.length };
}

/** What the label chose, and a link for each other one. */
export function labelChoiceView({ monitors }: Picture, chosen: LabelChoice | null): Html | null {
  const labels = labelsOf(monitors);
  if (labels.length === 0) return null;
  return html`${chosen === null ? null : html`<p class="notice" role="status">${chosenWords(chosen)}</p>`}
    <details class="labels-offered">
      <summary>Plan it for all monitors of a label</summary>
      <p>
        ${labels.map(
          (label) =>
            html`<a
              class="chip"
              href="/maintenances/new?${new URLSearchParams({ label }).toString()}"
              >${pairWords(label)}</a
            > `,
        )}
      </p>
    </details>`;
}

function chosenWords({ label, found }: LabelChoice): string {
  if (found > silencedMax)
    return `${grouped(found)} monitors have the label ${pairWords(label)}, and one maintenance names ${grouped(silencedMax)} at most. Choose locations, or plan it in parts.`;
  return found === 0
    ? `No monitor has the label ${pairWords(label)}.`
    : `Chosen below by the label ${label}: ${grouped(found)} ${found === 1 ? "monitor" : "monitors"}. One that gets the label later is not covered.`;
}
