import { isoTime, nearMinute, nearTime } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { rangeSecondsBelow } from "#limits/chart-limits";
import { between, epochMillis, type EpochMillis } from "#base/units";
import { rangeNames, rangeQuery, type TimeRange } from "#service/operator/charts/time-range";
import type { EarlierTime } from "#service/operator/charts/earlier-time";
import { timedText } from "#service/operator/changes/timed-text";
import type { PicturedMonitor } from "#service/operator/picture";

/** What a monitor's charts show: which time, of which location, and which one it is compared with. */
export interface PastChoice {
  readonly range: TimeRange;
  /** Null shows all locations. */
  readonly location: number | null;
  /** Null compares with none. */
  readonly other: number | null;
  /** The earlier time that it is compared with; null: none. */
  readonly earlier: EarlierTime | null;
  /** Those that it may be compared with. */
  readonly before: readonly EarlierTime[];
  /** Where the range begins if that is because there is nothing before; else left out. */
  readonly begins?: RangeBegin;
}

interface RangeBegin {
  readonly at: EpochMillis;
  readonly because: "created" | "first data";
}

/** The choice as an address has it. */
export const choiceQuery = (
  { range, location, other, earlier }: Omit<PastChoice, "before">,
  changed: Readonly<Record<string, string>> = {},
): string => {
  const query = new URLSearchParams(rangeQuery(range, placesOf(location, other, earlier)));
  for (const [name, value] of Object.entries(changed))
    if (value === "") query.delete(name);
    else query.set(name, value);
  if (query.get("range") !== "custom") for (const name of ["from", "to"]) query.delete(name);
  return query.toString();
};

const placesOf = (
  location: number | null,
  other: number | null,
  earlier: EarlierTime | null,
): Record<string, string> => ({
  ...(location === null ? {} : { location: String(location) }),
  ...(other === null ? {} : { compare: String(other) }),
  ...(earlier === null ? {} : { compare: earlier.name }),
});

/** Which time and location the charts are of; with no script it is links and one form. */
export function rangeChoice(monitor: PicturedMonitor, choice: PastChoice): Html {
  const { range } = choice;
  const presets = rangeNames.map((name) =>
    choiceLink(monitor, choice, { range: name }, rangeWords(name), name === range.name),
  );
  return html`<div class="choices ranges">
      <nav aria-label="Range">
        <ul>
          ${presets}
        </ul>
      </nav>
      ${rangeForm(monitor, choice)} ${compareChoice(monitor, choice)}
    </div>
    ${choice.begins === undefined ? null : beginNote(choice.begins, range.to)}`;
}

/** Of a young monitor, several ranges show the same. */
const beginNote = ({ at, because }: RangeBegin, to: EpochMillis): Html =>
  html`<p class="words since">
    Since <time datetime="${isoTime(at)}">${nearMinute(at, to)}</time>,
    ${because === "created" ? "when it was created" : "when its data begins"}.
  </p>`;

/** Which location they are of; nothing if there is one alone. */
export function locationChoice(monitor: PicturedMonitor, choice: PastChoice): Html | null {
  const { location, other } = choice;
  return monitor.seenBy.length < 2
    ? null
    : html`<nav class="ranges" aria-label="Location">
        <ul>
          ${choiceLink(monitor, choice, { location: "", ...(other === null ? {} : { compare: "" }) }, "All locations", location === null)}${monitor.seenBy.map(
            ({ location: id, name }) =>
              choiceLink(
                monitor,
                choice,
                { location: String(id), ...(other === id ? { compare: "" } : {}) },
                name,
                location === id,
              ),
          )}
        </ul>
      </nav>`;
}

const rangeWords = (name: string): string => (name === "all" ? "All" : name);

function choiceLink(
  { id }: PicturedMonitor,
  choice: PastChoice,
  changed: Readonly<Record<string, string>>,
  words: string,
  isCurrent: boolean,
): Html {
  const current = isCurrent ? html` aria-current="true"` : null;
  return html`<li>
    <a href="/monitors/${id}?${choiceQuery(choice, changed)}#past" ${current}>${words}</a>
  </li>`;
}

/** A time of one's own, in the browser's own fields: UTC, or with a script that of the reader's zone. */
function rangeForm(monitor: PicturedMonitor, choice: PastChoice): Html {
  const { range, location, other, earlier } = choice;
  const { fault } = range;
  const isOwn = range.name === "custom";
  return html`<details
    class="drop own-range${isOwn ? " chosen" : ""}"
    ${fault === null ? null : html` open`}
  >
    <summary>${isOwn ? ownWords(range) : "Custom range"}</summary>
    <div class="dropped">
      <form class="filter" method="get" action="/monitors/${monitor.id}#past">
        <input type="hidden" name="range" value="custom" />
        ${Object.entries(placesOf(location, other, earlier)).map(
          ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
        )}
        ${timeField("From", "from", range)} ${timeField("To", "to", range)}
        <button type="submit">Show</button>
      </form>
    </div>
  </details>`;
}

/** `22 Nov 11:47 to 12:00 UTC`, which names the day again if it is another one; a short one has seconds. */
function ownWords({ from, to }: TimeRange): Html {
  const near = between(from, to) < rangeSecondsBelow ? nearTime : nearMinute;
  const [first, last] = [near(from, epochMillis(0)), near(to, from)];
  return html`<time datetime="${isoTime(from)}">${first}</time> to
    <time datetime="${isoTime(to)}">${last}</time>`;
}

/** A browser counts its steps of a minute from the value: one with seconds would refuse each whole minute. */
function timeField(words: string, name: "from" | "to", { typed, fault }: TimeRange): Html {
  const value = typed[name];
  const hasSeconds = value.length > "2026-11-22T14:05".length;
  const wrong = fault?.about === name ? fault.words : null;
  return html`<label
      >${words} (<span data-zone-name>UTC</span>)
      <input
        type="datetime-local"
        data-utc
        name="${name}"
        value="${value}"
        ${hasSeconds ? html` step="1"` : null}
        required
        ${wrong === null ? null : html` aria-invalid="true" aria-describedby="range-fault"`}
      />
    </label>
    ${wrong === null ? null : html`<p class="wrong-line" id="range-fault" role="alert">${timedText(wrong)}</p>`}`;
}

/** A second location next to the one that is shown, or an earlier time. */
function compareChoice(monitor: PicturedMonitor, choice: PastChoice): Html | null {
  const { location, other, earlier, before } = choice;
  const others = location === null ? [] : monitor.seenBy.filter((one) => one.location !== location);
  if (others.length === 0 && before.length === 0) return null;
  const chosen = earlier?.words ?? others.find((one) => one.location === other)?.name ?? null;
  return html`<details class="drop compared${chosen === null ? "" : " chosen"}">
    <summary>${chosen === null ? "Compare with" : `With ${chosen}`}</summary>
    <nav class="dropped" aria-label="Compare with">
      <ul>
        ${others.map(({ location: id, name }) =>
          choiceLink(monitor, choice, { compare: String(id) }, name, id === other),
        )}
        ${before.map(({ name, words }) =>
          choiceLink(monitor, choice, { compare: name }, words, name === earlier?.name),
        )}
        ${other === null && earlier === null ? null : choiceLink(monitor, choice, { compare: "" }, "none", false)}
      </ul>
    </nav>
  </details>`;
}
