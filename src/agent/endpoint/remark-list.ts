import type { AgentStatus } from "#agent/agent-status";
import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";

type AssignmentRemark = AgentStatus["remarks"][number];

/** What was left out of the assignment or changed in it, so that the rest runs; nothing if that is nothing. */
export function remarkList(remarks: readonly AssignmentRemark[]): Html | null {
  if (remarks.length === 0) return null;
  const more = remarks.length - limits.remarksShownMax;
  return html`<section aria-labelledby="remarks">
    <h2 id="remarks">Left out or changed</h2>
    <p class="words">The service sent what Picket cannot use as it is. The rest runs.</p>
    <ul class="remarks">
      ${remarks.slice(0, limits.remarksShownMax).map(remarkItem)}
    </ul>
    ${more > 0 ? html`<p class="words">${counted(more, "more remark")}: see /status</p>` : null}
  </section>`;
}

const remarkItem = ({ monitorId, monitorName, field, message }: AssignmentRemark): Html => {
  const id = monitorId === null ? null : html`<code>${monitorId}</code>: `;
  return html`<li>${monitorName} ${id}<code>${field}</code> ${message}</li>`;
};
