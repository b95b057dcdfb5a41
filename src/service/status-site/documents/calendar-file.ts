import type { PagePlace } from "#service/status-site/view/status-frame";
import type { PageModel } from "#service/status-page/page-model";
import type { PlannedWindow, SeriesFacts } from "#service/status-page/page-facts";
import { wallText, zoneLines } from "#service/status-site/documents/calendar-zone";
import { reportPlain } from "#service/status-site/view/report-markup";
import { epochMillis, type EpochMillis } from "#base/units";

/**
 * Maintenance as iCalendar (RFC 5545). Each is one event, which keeps its name while its times change, so that calendars
 * move it. What repeats is an event with its rule, by the clock of its zone; what happens once is in UTC.
 */
export function calendarFile(model: PageModel, { origin, base }: PagePlace): string {
  const windows = [...model.pastWindows, ...model.running, ...model.coming];
  const scene = { page: `${origin}${base}`, now: model.now };
  const works = [...Map.groupBy(windows, ({ id }) => id).values()];
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Picket//Status page//EN",
    "METHOD:PUBLISH",
    `X-WR-CALNAME:${escaped(model.definition.title)}`,
    ...zonesOf(works, model.now),
    ...works.flatMap((work) => workLines(work, scene)),
    "END:VCALENDAR",
  ];
  return lines.flatMap(folded).join("\r\n").concat("\r\n");
}

interface CalendarScene {
  /** The address of the page. */
  readonly page: string;
  readonly now: EpochMillis;
}

type Work = readonly PlannedWindow[];

/** Each zone once, from the first time by its clock on. */
function zonesOf(works: readonly Work[], now: EpochMillis): readonly string[] {
  const series = works.flatMap(([window]) => window?.series ?? []);
  const zones = Map.groupBy(series, ({ timeZone }) => timeZone);
  zones.delete("UTC");
  return [...zones].flatMap(([timeZone, some]) => {
    const first = Math.min(...some.map(({ first }) => first.from));
    return zoneLines(timeZone, epochMillis(first), now);
  });
}

function workLines(work: Work, scene: CalendarScene): readonly string[] {
  const [window] = work;
  if (window === undefined) return [];
  const { series } = window;
  if (series === null) return eventLines(window, scene, onceTimes(window));
  const planned = new Map(series.early.map((one) => [one.from, one.planned]));
  const otherwise = work.filter(
    ({ from, to }) => planned.has(from) || to !== plannedEnd(series, from),
  );
  return [
    ...eventLines(window, scene, seriesTimes(series, work)),
    ...otherwise.flatMap((one) =>
      eventLines(one, scene, [
        `RECURRENCE-ID${moment(series, planned.get(one.from) ?? one.from)}`,
        `DTSTART${moment(series, one.from)}`,
        `DTEND${moment(series, one.to)}`,
      ]),
    ),
  ];
}

const onceTimes = ({ from, to }: PlannedWindow): readonly string[] => [
  `DTSTART:${utc(from)}`,
  `DTEND:${utc(to)}`,
];

/** Of a rule that calendars do not know, the times that the page shows are listed. */
function seriesTimes(series: SeriesFacts, work: Work): readonly string[] {
  const { rule, first } = series;
  const [begin, end] = [moment(series, first.from), moment(series, first.to)];
  const times = [
    `DTSTART${begin}`,
    `DTEND${end}`,
    ...series.skipped.map(({ from }) => `EXDATE${moment(series, from)}`),
  ];
  if (rule !== "") return [...times, `RRULE:${rule}`];
  const listed = work.filter(({ from }) => from !== first.from);
  return [...times, ...listed.map(({ from }) => `RDATE${moment(series, from)}`)];
}

/** When a time that begins at an instant ends by the rule. */
function plannedEnd({ first, timeZone }: SeriesFacts, from: EpochMillis): EpochMillis {
  const length = wallOf(first.from, timeZone).until(wallOf(first.to, timeZone));
  const end = wallOf(from, timeZone).add(length);
  return epochMillis(end.toZonedDateTime(timeZone).epochMilliseconds);
}

/** `;TZID=Europe/Berlin:20261201T220000`, or in UTC. */
const moment = ({ timeZone }: SeriesFacts, instant: EpochMillis): string =>
  timeZone === "UTC"
    ? `:${utc(instant)}`
    : `;TZID=${timeZone.includes(":") ? `"${timeZone}"` : timeZone}:${wallText(wallOf(instant, timeZone))}`;

const wallOf = (instant: EpochMillis, timeZone: string): Temporal.PlainDateTime =>
  Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone).toPlainDateTime();

/** Its name has nothing that may change, such as a time or the page's domain. SEQUENCE grows with each change: the newer one counts. */
const eventLines = (
  { id, title, message, createdAt, changedAt }: PlannedWindow,
  { page, now }: CalendarScene,
  times: readonly string[],
): readonly string[] => [
  "BEGIN:VEVENT",
  `UID:maintenance-${id}-${createdAt}@picket`,
  `SEQUENCE:${Math.max(0, Math.floor((changedAt - createdAt) / 1000))}`,
  `DTSTAMP:${utc(now)}`,
  `LAST-MODIFIED:${utc(changedAt)}`,
  ...times,
  `SUMMARY:${escaped(title)}`,
  `DESCRIPTION:${escaped(reportPlain(message))}`,
  `URL:${page}/events/maintenance/${id}`,
  "END:VEVENT",
];

const utc = (instant: EpochMillis): string =>
  new Date(instant).toISOString().replace(/[-:]|\.\d+/g, "");

/** §3.3.11; other control characters are in no text. */
const escaped = (text: string): string =>
  text
    .replace(/[\\;,]/g, (character) => `\\${character}`)
    .replace(/\r\n|\r|\n/g, "\\n")
    // eslint-disable-next-line no-control-regex -- these are the characters looked for.
    .replace(/[\x00-\x1f\x7f]/g, " ");

/** §3.1: a line has at most 75 octets, and what is longer continues after a space; no character is cut in two. */
function folded(line: string): readonly string[] {
  const lines: string[] = [];
  let current = "";
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > 75) {
      lines.push(current);
      current = " ";
      octets = 1;
    }
    current += character;
    octets += size;
  }
  return [...lines, current];
}
