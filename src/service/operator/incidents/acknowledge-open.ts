import { acknowledgedTogetherMax } from "#limits/alerts-limits";
import { numberRanges } from "#service/alerts/number-ranges";
import type { KnownReader } from "#service/operator/page-request";
import { grouped } from "#web/page/format";
import { html, type Html } from "#web/page/html";

interface WaitingIncidents {
  readonly reader: KnownReader;
  /** The numbers of those that no one has acknowledged. */
  readonly waiting: readonly number[];
}

/** One press for all that the filter finds; of one alone the row has the button. `open` are those and what is acknowledged. */
export function acknowledgeOpen(
  { waiting, reader }: WaitingIncidents,
  open: number,
  back: string,
): Html | null {
  if (waiting.length < 2) return null;
  return html`<form class="acts" method="post" action="/incidents/acknowledge">
    <input type="hidden" name="form" value="${reader.formToken}" />
    <input type="hidden" name="numbers" value="${numberRanges(waiting)}" />
    <input type="hidden" name="back" value="${back}" />
    <button type="submit">Acknowledge ${allWords(waiting.length, open)}</button>
  </form>`;
}

/** What someone has acknowledged is open, too. */
function allWords(waiting: number, open: number): string {
  if (waiting >= acknowledgedTogetherMax) return `${grouped(waiting)} open`;
  return waiting === open ? `all ${grouped(open)} open` : `the other ${grouped(waiting)}`;
}
