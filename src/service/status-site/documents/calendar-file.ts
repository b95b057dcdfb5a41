import type { PagePlace } from "#service/status-site/view/status-frame";
import type { PageModel } from "#service/status-page/page-model";
import type { PlannedWindow } from "#service/status-page/page-facts";
import { reportPlain } from "#service/status-site/view/report-markup";
import type { EpochMillis } from "#base/units";

/** Maintenance as iCalendar (RFC 5545): each window is an event in UTC, so that no zone has to be described. */
export function calendarFile(model: PageModel, { origin, base }: PagePlace): string {
  const windows = [...model.pastWindows, ...model.running, ...model.coming];
  const host = URL.parse(origin)?.host ?? "picket";
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Picket//Status page//EN",
    "METHOD:PUBLISH",
    `X-WR-CALNAME:${escaped(model.definition.title)}`,
    ...windows.flatMap((window) => eventOf(window, `${origin}${base}/`, host, model.now)),
    "END:VCALENDAR",
  ];
  return lines.flatMap(folded).join("\r\n").concat("\r\n");
}

const eventOf = (
  window: PlannedWindow,
  url: string,
  host: string,
  now: EpochMillis,
): readonly string[] => [
  "BEGIN:VEVENT",
  `UID:maintenance-${window.id}-${window.from}@${host}`,
  `DTSTAMP:${utc(now)}`,
  `DTSTART:${utc(window.from)}`,
  `DTEND:${utc(window.to)}`,
  `SUMMARY:${escaped(window.title)}`,
  `DESCRIPTION:${escaped(reportPlain(window.message))}`,
  `URL:${url}`,
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
