import type { MonitorDefinition } from "#check/definition";
import type { ChartFacts } from "#service/operator/charts/past-choice";
import type { PastChoice } from "#service/operator/charts/range-choice";
import type { Step } from "#service/operator/monitor-story";
import type { PicturedMonitor } from "#service/operator/picture";
import { grouped, lengthOf, limitWords } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import type { ChartMark } from "#web/page/chart/chart-marks";
import * as limits from "#limits/chart-limits";
import { haveLines } from "#service/operator/charts/each-location";
import { millis } from "#base/units";

/** What a chart is of. */
interface KeyedPast extends PastChoice, ChartFacts {
  readonly monitor: PicturedMonitor;
  readonly definition: MonitorDefinition;
}

/** What the lines, crosses and areas of a latency chart are; an area leads to what it stands for. */
export function chartKey(page: KeyedPast): Html {
  const { story, marks, compared } = page;
  const each = [...Map.groupBy(marks, ({ words }) => words).values()].flatMap(worstOf);
  const named = each.slice(-limits.chartMarksNamed);
  const rest = each.length - named.length;
  return html`<ul class="legend key">
    ${lineEntries(page)}
    ${story.echoes === null ? null : entry(band, "Shortest to longest round trip")}
    ${failedEntry([...story.steps, ...compared])} ${thresholdEntry(page)} ${named.map(markEntry)}
    ${rest === 0 ? null : html`<li>and ${rest} more</li>`}
  </ul>`;
}

/** An incident that was also slow is named once, as bad as it was. */
const worstOf = (parts: readonly ChartMark[]): readonly ChartMark[] =>
  [parts.find(({ kind }) => kind === "error") ?? parts.at(-1)].filter((one) => one !== undefined);

const entry = (swatch: Html, words: Html | string): Html =>
  html`<li><svg class="chart" viewBox="0 0 18 12" aria-hidden="true">${swatch}</svg>${words}</li>`;

const line = (look: string): Html => html`<path class="curve ${look}" d="M0 6h18" />`;
const dot = (place: number): Html => html`<circle class="place-${place}" cx="9" cy="6" r="3.5" />`;
const band = html`<rect class="band" x="0" y="1" width="18" height="10" />`;
const cross = html`<path class="error" d="M6 3l6 6M12 3l-6 6" />`;

/** At all locations that are shown. */
function failedEntry(steps: readonly Step[]): Html | null {
  const failed = steps.reduce((sum, step) => sum + step.failed, 0);
  return failed === 0 ? null : entry(cross, html`${grouped(failed)} failed`);
}

/** The median and p95 of each step, the two locations that are compared, or the locations of single checks. */
function lineEntries(page: KeyedPast): Html {
  const { monitor, location, other, story } = page;
  const nameOf = (id: number | null): string =>
    monitor.seenBy.find((one) => one.location === id)?.name ?? "";
  if (other !== null && story.points.length > 0)
    return html`${[location, other].map((id, place) => entry(dot(place), nameOf(id)))}`;
  if (other !== null)
    return html`${entry(line("p50"), `${nameOf(location)}, median`)}
    ${entry(line("other"), `${nameOf(other)}, median`)}`;
  return html`${ownEntries(page)}${page.earlier === null ? null : entry(line("earlier"), `Median, ${page.earlier.words}`)}`;
}

function ownEntries({ monitor, range, location, story, earlier }: KeyedPast): Html {
  const each = `of each\u00a0${lengthOf(range.step)}`;
  if (story.points.length === 0)
    return html`${entry(line("p50"), `Median ${each}`)}
    ${earlier === null ? entry(line("p95"), "p95") : null}`;
  return location === null && haveLines(monitor.seenBy.length)
    ? html`${monitor.seenBy.map(({ name }, place) => entry(dot(place), name))}`
    : entry(dot(0), "Each check");
}

function thresholdEntry({ definition: { degradedAt } }: KeyedPast): Html | null {
  if (degradedAt === null || degradedAt === 0) return null;
  return entry(
    html`<line class="threshold" x1="0" x2="18" y1="6" y2="6" />`,
    `Degraded above ${limitWords(millis(degradedAt))}`,
  );
}

const markEntry = ({ kind, words, address }: ChartMark): Html =>
  entry(
    html`<rect class="marked ${kind}" width="18" height="12" /><rect
        class="strip ${kind}"
        width="18"
        height="3"
      />`,
    address === null ? words : html`<a href="${address}">${words}</a>`,
  );
