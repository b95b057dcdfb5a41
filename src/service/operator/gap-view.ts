import { isoTime, lengthOf, monthDay, timeOfDay } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { Sight } from "#service/operator/picture";
import type { Gap } from "#service/store/result-store";
import { counted } from "#base/text";
import { between, type EpochMillis } from "#base/units";

/** When a monitor was not measured, and why: a location's own place was broken, so it says nothing of the target. */
export function gapView(gaps: readonly Gap[], seenBy: readonly Sight[]): Html | null {
  if (gaps.length === 0) return null;
  return html`<section aria-labelledby="gaps">
    <h2 id="gaps">Not measured</h2>
    <ul class="remarks">
      ${gaps.map((gap) => gapLine(gap, seenBy))}
    </ul>
    <p class="words">
      A location that is broken itself says nothing of the target: uptime leaves this out.
    </p>
  </section>`;
}

function gapLine({ location, from, to, slots, excuse }: Gap, seenBy: readonly Sight[]): Html {
  const sight = seenBy.find((one) => one.location === location);
  const isOver = sight !== undefined && sight.slot !== null && sight.slot > to;
  const when = isOver
    ? html`${time(from)} to ${time(to)} (${lengthOf(between(from, to))})`
    : html`since ${time(from)}`;
  return html`<li>
    ${sight?.name ?? "a location"}: not measured ${when}, ${counted(slots, "check")}, because
    ${excuse.sentence}.
  </li>`;
}

const time = (at: EpochMillis): Html =>
  html`<time datetime="${isoTime(at)}">${monthDay(at)} ${timeOfDay(at).slice(0, 5)}</time>`;
