import type { AgentStatus } from "#agent/agent-status";
import * as limits from "#limits/pages-limits";
import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";

/** Whose targets the operator's rules refuse, and if newer rules cannot be read; nothing if that is nothing. */
export function refusedList({
  fault,
  refused,
  checksRefused,
}: AgentStatus["targets"]): Html | null {
  if (refused.length === 0 && fault === null) return null;
  const more = refused.length - limits.remarksShownMax;
  const stale = `The newer target rules cannot be read, so those from before stay in force: ${fault}.`;
  return html`<section aria-labelledby="refused">
    <h2 id="refused">Refused targets</h2>
    ${fault === null ? null : html`<p class="words">${stale}</p>`}
    <p class="words">
      The target rules of this agent refused ${counted(checksRefused, "check")} since it started.
    </p>
    <ul class="remarks">
      ${refused
        .slice(0, limits.remarksShownMax)
        .map(({ monitorId, name, sentence }) => html`<li>${name ?? monitorId}: ${sentence}</li>`)}
    </ul>
    ${more > 0 ? html`<p class="words">${counted(more, "more monitor")}: see /status</p>` : null}
  </section>`;
}
