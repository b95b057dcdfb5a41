import { type LatencyCurve, latencyChart } from "#web/page/chart/latency-chart";
import type { TimeSpan } from "#web/page/chart/time-axis";
import { html, type Html } from "#web/page/html";
import { figureTable } from "#service/edge/figure-table";
import { stateMark } from "#service/status-site/view/components-view";
import { barsIn, daysBar, dayShapes, daysNote } from "#service/status-site/view/days-bar";
import { backLink } from "#service/status-site/view/event-views";
import type { PagePlace } from "#service/status-site/view/status-frame";
import type { PageWords } from "#service/status-site/view/words";
import {
  type LatencyFacts,
  type LatencyFigures,
  type LatencyStep,
  quantileOf,
  shares,
} from "#service/status-page/latency-facts";
import { countedBriefly, soFar, uptimeWords } from "#service/status-site/view/so-far";
import type { PageModel } from "#service/status-page/page-model";
import type { PublicMonitor } from "#service/status-page/public-monitor";
import { epochMillis, type EpochMillis, hours, type Millis, millis } from "#base/units";

/** A public monitor by itself: its state, its days, and how fast it answered. Nothing says where or what is checked. */
export function monitorView(
  model: PageModel,
  shown: PublicMonitor,
  latency: LatencyFacts,
  words: PageWords,
  place: PagePlace,
): Html {
  const { facts, state, days, hours: lately } = shown.component;
  const bars = { days, hours: lately, firstDay: model.firstDay };
  const { texts } = words;
  return html`${backLink(model, words, place)}
    <h1 class="target">${facts.name}</h1>
    <p class="verdict">${stateMark(state, texts.state[state])}</p>
    ${facts.description === "" ? null : html`<p class="advice">${facts.description}</p>`}
    <section aria-labelledby="uptime">
      <h2 id="uptime">${texts.monitor.uptime}</h2>
      ${uptimes(shown, model, words)} ${dayShapes(barsIn(model))}
      <div class="component"><div class="days">${daysBar(bars, words)}</div></div>
      ${daysNote([days], model.firstDay, words, { hasGroup: false, areHours: lately !== null })}
    </section>
    <section aria-labelledby="latency">
      <h2 id="latency">${texts.monitor.latency}</h2>
      ${latency.days.length + latency.hours.length === 0 ? html`<p class="kind">${texts.monitor.nothing}</p>` : latencySections(model, latency, words)}
    </section>`;
}

/** Of less than a day, all periods have the same figure: it is there once. */
function uptimes(shown: PublicMonitor, model: PageModel, words: PageWords): Html | null {
  const { uptimes: all, component } = shown;
  if (all.length === 0) return null;
  const isBrief = countedBriefly(component, model) !== null;
  return html`<dl class="uptimes">
    ${(isBrief ? all.slice(0, 1) : all).map(
      ({ days, uptime }) =>
        html`<div>
          <dt>
            ${isBrief ? null : `${words.days(days)} · `}${uptimeWords(component, model, words)}${soFar(component, model, words)}
          </dt>
          <dd>${words.percent(uptime)}</dd>
        </div>`,
    )}
  </dl>`;
}

function latencySections(model: PageModel, latency: LatencyFacts, words: PageWords): Html {
  const { monitor: texts } = words.texts;
  const { windows, places, lately } = latency;
  const day = words.length(hours(24));
  const periods = [
    row(day, lately, words),
    ...windows.map((one) => row(words.days(one.days), one, words)),
  ];
  const shortest = windows[0];
  return html`<p class="kind">${texts.about}</p>
    ${figureTable(`${texts.latency}${words.texts.colon}${texts.period}`, headsOf(texts.period, words), periods)}
    ${charts(model, latency, words)}
    ${
      places.length < 2 || shortest === undefined
        ? null
        : html`<h3>${texts.location}, ${words.days(shortest.days)}</h3>
            ${figureTable(
              texts.location,
              headsOf(texts.location, words),
              places.map((one, index) => row(words.number(index + 1), one, words)),
            )}`
    }`;
}

/** A chart of one point looks broken: there is none of the first hour, and none of days on the first day. */
function charts(model: PageModel, latency: LatencyFacts, words: PageWords): Html | null {
  const { hours: ofHours, days } = latency;
  const isFirstDay = days.length < 2;
  if (isFirstDay && ofHours.length === 1)
    return html`<p class="kind">${words.texts.monitor.chartsBegin}</p>`;
  const day = words.length(hours(24));
  return html`${chartOf(hourly(model, latency, day), words)}
  ${isFirstDay && ofHours.length > 0 ? null : chartOf(daily(model, latency, words), words)}`;
}

const headsOf = (first: string, { texts: { monitor } }: PageWords): readonly string[] => [
  first,
  ...shares.map(({ name }) => name),
  monitor.checks,
  monitor.failed,
];

const row = (name: string, figures: LatencyFigures, words: PageWords): Html =>
  html`<tr>
    <th scope="row">${name}</th>
    ${figures.quantiles.map((one) => html`<td>${one === null ? "–" : words.latency(one)}</td>`)}
    <td>${words.number(figures.checks)}</td>
    <td>${words.number(figures.failed)}</td>
  </tr>`;

/** A curve over a time, and the same as a table. */
interface Course {
  readonly title: string;
  readonly span: TimeSpan;
  readonly steps: readonly LatencyStep[];
  readonly length: Millis;
  readonly named: (begin: EpochMillis, words: PageWords) => string;
}

const hourly = ({ now }: PageModel, { hours: steps }: LatencyFacts, title: string): Course => ({
  title,
  span: { from: epochMillis(now - hours(24)), to: now },
  steps,
  length: hours(1),
  named: (begin, words) => words.moment(begin),
});

const daily = (
  { now, definition, firstDay }: PageModel,
  { days: steps }: LatencyFacts,
  words: PageWords,
): Course => {
  // As long as the strip of days above.
  const days = definition.configuration.days - firstDay;
  return {
    title: words.days(days),
    span: { from: epochMillis(now - days * hours(24)), to: now },
    steps,
    length: hours(24),
    named: (begin) => words.date(begin),
  };
};

function chartOf({ title, span, steps, length, named }: Course, words: PageWords): Html | null {
  if (steps.length === 0) return null;
  const { monitor: texts } = words.texts;
  const curve = (name: "p50" | "p95"): LatencyCurve => ({
    name,
    gap: millis(length * 1.5),
    values: steps.flatMap((step) => {
      const latency = quantileOf(step, name);
      // In the middle of what it stands for; what is under way is as far as now.
      const at = Math.min(step.begin + length / 2, span.to);
      return latency === null || at < span.from ? [] : [{ at: epochMillis(at), latency }];
    }),
  });
  return html`<h3>${title}</h3>
    ${latencyChart({
      span,
      curves: [curve("p50"), curve("p95")],
      points: [],
      echoes: null,
      marks: [],
      failures: [],
      threshold: null,
      words: `${texts.latency}, ${title}. ${texts.lines}`,
      axis: { day: words.dayAndMonth, latency: words.latency, nothing: null },
    })}
    <p class="words">${texts.lines}</p>
    <details>
      <summary>${texts.figures}</summary>
      ${figureTable(
        `${texts.latency}, ${title}`,
        headsOf(texts.period, words),
        steps.toReversed().map((step) => row(named(step.begin, words), step, words)),
      )}
    </details>`;
}
