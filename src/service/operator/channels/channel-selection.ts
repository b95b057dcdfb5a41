import { capital } from "#base/text";
import type { ChannelRules } from "#service/alerting/channel-rules";
import type { QuietHours } from "#service/alerting/quiet-hours";
import { counted, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { selects } from "#service/alerting/label-selector";
import { eventChoices } from "#service/operator/channels/channel-fields";
import { channelSentence, dayName } from "#service/operator/channels/channel-sentence";
import type { Picture } from "#service/operator/picture";
import type { ChannelRow } from "#service/store/channel-store";

/** What it is notified of, in plain words. */
export function sentenceOf({ rules, monitors }: ChannelRow, picture: Picture): string {
  const own = new Set<number>(monitors);
  const selected = picture.monitors.filter(
    ({ id, labels }) => own.has(id) && selects(rules.labels, labels),
  );
  return channelSentence({
    rules,
    monitorNames: selected.map((one) => one.name),
    locationNames: rules.locations.map((id) => placeName(id, picture)),
  });
}

/** What a channel is notified of and when, a fact each. */
interface SelectionFact {
  readonly name: string;
  readonly value: Html | string;
}

/** Everything that decides whether a channel gets a message. */
export function selectionOf(row: ChannelRow, picture: Picture): readonly SelectionFact[] {
  const { rules } = row;
  const labels = Object.entries(rules.labels).map(([key, value]) =>
    value === "" ? key : `${key}: ${value}`,
  );
  const facts: readonly (SelectionFact | null)[] = [
    { name: "Monitors", value: monitorList(row, picture) },
    { name: "Events", value: capital(rules.events.map(eventWords).join(", ")) },
    rules.locations.length === 0
      ? null
      : { name: "Only incidents at", value: placeNames(rules.locations, picture) },
    labels.length === 0 ? null : { name: "Only with labels", value: labels.join(", ") },
    rules.delay === 0 ? null : { name: "Delay", value: lengthOf(rules.delay) },
    {
      name: "Repeated",
      value: rules.reminder === null ? "never" : `every ${lengthOf(rules.reminder)}`,
    },
    rules.quietHours.length === 0
      ? null
      : { name: "Quiet hours", value: rules.quietHours.map(quietWords).join("; ") },
    { name: "Time zone", value: rules.timeZone },
  ];
  return facts.filter((fact) => fact !== null);
}

/** All of them may be a thousand, so they are folded away. */
function monitorList({ monitors, rules }: ChannelRow, picture: Picture): Html | string {
  if (rules.allMonitors) return "all, also those made later";
  const own = new Set<number>(monitors);
  const known = picture.monitors.filter(({ id }) => own.has(id));
  if (known.length === 0) return "none: it gets only incidents about itself";
  return html`<details>
    <summary>${counted(known.length, "monitor")}</summary>
    <ul class="remarks">
      ${known.map(({ id, name }) => html`<li><a href="/monitors/${id}">${name}</a></li>`)}
    </ul>
  </details>`;
}

/** As in the middle of a sentence. */
function eventWords(event: string): string {
  const words = eventChoices.find(([word]) => word === event)?.[1] ?? event;
  return `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

const placeNames = (ids: ChannelRules["locations"], picture: Picture): string =>
  ids.map((id) => placeName(id, picture)).join(", ");

const placeName = (id: number, { locations }: Picture): string =>
  locations.find((one) => one.id === id)?.name ?? `location ${id}`;

const quietWords = ({ days, from, to }: QuietHours): string => {
  const on = days.length === 0 ? "every day" : days.map(dayName).join(", ");
  return from === to
    ? `${on}, all day (${from} to ${to} of the next day)`
    : `${on} ${from} to ${to}`;
};
