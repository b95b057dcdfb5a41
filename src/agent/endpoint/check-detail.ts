import type { LastCheck } from "#agent/endpoint/history";
import { html, type Html } from "#web/page/html";
import { dayAndTime, isoTime, timeOfDay } from "#web/page/format";
import { phaseTable } from "#web/page/phase-table";
import { withAssertionWords } from "#check/assertion-words";
import { type Failure, failureCodes, phaseInWords } from "#check/failure";

/** Everything that is known of a monitor's last check: why it failed, where the time went, what was seen. */
export function checkDetail(check: LastCheck): Html {
  const { failure, slot, startedAt, attempts } = check;
  const tries =
    attempts > 1
      ? html`<dt>Attempts</dt>
          <dd>${attempts}, the last one is shown</dd>`
      : null;
  const facts = check.facts.map(
    ({ label, value }) =>
      html`<dt>${label}</dt>
        <dd>${value}</dd>`,
  );
  return html` ${failure === null ? null : reason(failure)} ${phaseTable(check)}
    <dl class="facts">
      <dt>Started</dt>
      <dd>
        <time datetime="${isoTime(startedAt)}">${dayAndTime(startedAt)}</time>, for the slot of
        <time datetime="${isoTime(slot)}">${timeOfDay(slot)}</time>
      </dd>
      ${tries}${facts}
    </dl>`;
}

/** Why it failed, where it did, and what else is to be known of it: a sentence each. */
export const why = (last: LastCheck | null): readonly Html[] =>
  last === null
    ? []
    : [...(last.failure === null ? [] : [last.failure.message]), ...last.remarks].map(
        (sentence) => html`<p class="why">${withAssertionWords(sentence)}</p>`,
      );

/** The code and the phase for a person who looks them up, and what the code means in general. */
const reason = ({ code, phase }: Failure): Html =>
  html`<p class="code"><code>${code}</code> ${phaseInWords(phase)}: ${failureCodes[code]}.</p>`;
