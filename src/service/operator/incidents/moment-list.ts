import * as limits from "#limits/lines-limits";
import type { Moment } from "#service/operator/incidents/moments";
import { counted, downtimeOf, isoTime, nearTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { shownLength } from "#base/duration";
import type { EpochMillis } from "#base/units";

interface Times {
  readonly startedAt: EpochMillis;
  readonly now: EpochMillis;
}

/**
 * A list with the time of each, and how long after the beginning that was. Where a monitor went up and down many times in a
 * row, that is one line, which opens: only the newest turns are lines by themselves, and what changed the incident if that
 * was seldom.
 */
export const momentList = (
  moments: readonly Moment[],
  startedAt: EpochMillis,
  now: EpochMillis,
): Html =>
  html`<ol class="moments">
    ${runsOf(moments, isOften(moments)).flatMap((run) => runItem(run, { startedAt, now }))}
  </ol>`;

/** Turns that follow each other are one run; everything else is one by itself. */
function runsOf(
  moments: readonly Moment[],
  folds: (moment: Moment) => boolean,
): readonly (readonly Moment[])[] {
  const runs: Moment[][] = [];
  for (const moment of moments) {
    const last = runs.at(-1);
    const [before] = last ?? [];
    if (last !== undefined && before !== undefined && folds(before) && folds(moment))
      last.push(moment);
    else runs.push([moment]);
  }
  return runs;
}

/** What repeats: a turn, but none of the incident itself if those are few. */
function isOften(moments: readonly Moment[]): (moment: Moment) => boolean {
  const changes = moments.filter(({ turn }) => turn?.isOfIncident === true).length;
  const isFolded = changes > limits.incidentTurnsShown;
  return ({ turn }) => turn !== undefined && (isFolded || !turn.isOfIncident);
}

function runItem(run: readonly Moment[], times: Times): readonly Html[] {
  const shown = run.slice(-limits.newestTurnsShown);
  const folded = run.slice(0, -limits.newestTurnsShown);
  if (folded.length < limits.turnsFoldedMin || flapsIn(folded) === 0)
    return run.map((one) => momentItem(one, times));
  return [foldedItem(folded, times), ...shown.map((one) => momentItem(one, times))];
}

function foldedItem(run: readonly Moment[], times: Times): Html {
  const { startedAt, now } = times;
  const [from, to] = [run[0]?.at ?? now, run.at(-1)?.at ?? now];
  return html`<li class="seen flaps">
    <time datetime="${isoTime(from)}">${nearTime(from, now)}</time>
    <span class="offset">${from >= startedAt ? offsetOf(startedAt, from) : "before"}</span>
    <div>
      <details id="flaps-${from}">
        <summary>
          Flapped between
          <time datetime="${isoTime(from)}">${nearTime(from, now)}</time> and
          <time datetime="${isoTime(to)}">${nearTime(to, now)}</time>: ${timesWords(run)}
        </summary>
        <ol class="moments">
          ${run.map((one) => momentItem(one, times))}
        </ol>
      </details>
    </div>
  </li>`;
}

/** By the times next to it: from 12:00:03 to 12:00:50 it is 47 s, whatever the milliseconds. */
const offsetOf = (startedAt: EpochMillis, at: EpochMillis): string =>
  `+${downtimeOf(shownLength(startedAt, at))}`;

/** `went down 5 more times`: the first time is above it. */
function timesWords(run: readonly Moment[]): string {
  const isDown = run.some(({ turn, look }) => turn?.isDown === true && look === "error");
  const times = flapsIn(run);
  return `${isDown ? "went down" : "was degraded"} ${times === 1 ? "once more" : counted(times, "more time")}`;
}

/** How often it went down: where it did so most often. */
const flapsIn = (run: readonly Moment[]): number =>
  [
    ...Map.groupBy(
      run.flatMap(({ turn }) => (turn?.isDown === true ? [turn] : [])),
      ({ place }) => place,
    ).values(),
  ].reduce((most, { length }) => Math.max(most, length), 0);

const momentItem = (
  { at, is, look, words, more, said, acts = null, lastsInto = false }: Moment,
  { startedAt, now }: Times,
): Html =>
  html`<li class="${is}${look === null ? "" : ` ${look}`}">
    <time datetime="${isoTime(at)}">${nearTime(at, now)}</time>
    <span class="offset"
      >${at >= startedAt ? offsetOf(startedAt, at) : lastsInto ? "from before" : "before"}</span
    >
    <div>
      <p>${words}</p>
      ${more.map((one) => html`<p class="more">${one}</p>`)}
      ${said === undefined ? null : html`<div class="written">${said}</div>`} ${acts}
    </div>
  </li>`;
