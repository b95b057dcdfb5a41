import { isoTime, span } from "#page/format";
import { html, type Html } from "#page/html";
import type { StoredInstance } from "#service/instances";
import { counted } from "#text";
import { between, type EpochMillis } from "#units";

/** What is broken at the location itself, and what that hides. */
export function conditionView(agents: readonly StoredInstance[], at: EpochMillis): Html | null {
  const lines = agents
    .filter(({ live }) => live)
    .flatMap(({ id, report }) =>
      report.conditions.map(
        ({ sentence: words, since, affected, recovering }) =>
          html`<li>
            <strong>${sentence(words)}</strong> ${recovering ? "It seems to be over." : null} Since
            <time datetime="${isoTime(since)}">${span(between(since, at))}</time>, seen by
            ${report.hostname === "" ? id : report.hostname}: ${counted(affected, "monitor")} not
            measured${report.monitorCount > affected ? `, ${report.monitorCount - affected} others are` : ""}.
          </li>`,
      ),
    );
  if (lines.length === 0) return null;
  return html`<section aria-labelledby="conditions">
    <h2 id="conditions">This location itself is impaired</h2>
    <ul class="remarks">
      ${lines}
    </ul>
    <p class="words">What lies behind it is not measured, and is unknown, not down.</p>
  </section>`;
}

const sentence = (words: string): string => `${words.slice(0, 1).toUpperCase()}${words.slice(1)}.`;
