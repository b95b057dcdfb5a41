import { isoTime, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { StoredInstance } from "#service/agents/instances";
import { agentName } from "#service/operator/locations/agent-name";
import type { ReportedCondition } from "#service/store/instance-report";
import { placeFacts } from "#check/place-words";
import { capital, counted } from "#base/text";
import { between, type EpochMillis } from "#base/units";

/** What is broken at the location itself, and what that hides or does not hide yet. */
export function conditionView(agents: readonly StoredInstance[], at: EpochMillis): Html | null {
  const live = agents.filter((one) => one.live);
  const nameOf = (agent: StoredInstance): string => agentName(agent, agents);
  const faults = live.flatMap((agent) =>
    agent.report.conditions.map(
      (one) =>
        html`<li>
          ${lineOf(one, nameOf(agent), at)}: ${counted(one.affected, "monitor")} not
          measured${othersOf(one, agent)}.${placeOf(one)}
        </li>`,
    ),
  );
  const warnings = live.flatMap((agent) =>
    agent.report.warnings.map(
      (one) => html`<li>${lineOf(one, nameOf(agent), at)}: no check fails because of it yet.</li>`,
    ),
  );
  const remarks = live.flatMap((agent) =>
    agent.report.remarks.map(
      (remark) => html`<li><strong>${capital(remark)}.</strong> Said by ${nameOf(agent)}.</li>`,
    ),
  );
  if (faults.length + warnings.length + remarks.length === 0) return null;
  const isImpaired = faults.length > 0;
  return html`<section aria-labelledby="conditions">
    <h2 id="conditions">
      ${isImpaired ? "This location itself is impaired" : "A warning of this location"}
    </h2>
    <ul class="remarks">
      ${faults} ${warnings} ${remarks}
    </ul>
    ${isImpaired ? html`<p class="words">Targets behind it are not being checked: their state is unknown, not down.</p>` : null}
  </section>`;
}

const lineOf = (
  { sentence, since, recovering }: ReportedCondition,
  agentNamed: string,
  at: EpochMillis,
): Html =>
  html`<strong>${capital(sentence)}.</strong> ${recovering ? "It seems to be over." : null} For
    <time datetime="${isoTime(since)}">${lengthOf(between(since, at))}</time>, seen by ${agentNamed}`;

/** What a person looks at first when the agent's own place is broken. */
const placeOf = ({ place }: ReportedCondition): string =>
  place === null
    ? ""
    : placeFacts(place)
        .filter(({ label }) => label !== "Looked up")
        .map(({ label, value }) => ` ${label}: ${value}.`)
        .join("");

const othersOf = ({ affected }: ReportedCondition, { report }: StoredInstance): string =>
  report.monitorCount > affected ? `, ${report.monitorCount - affected} others are` : "";
