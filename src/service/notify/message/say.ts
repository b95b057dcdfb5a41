import type { Notice, PageNews } from "#service/notify/event";
import type { Message } from "#service/notify/message/message";
import { digestMessage } from "#service/notify/message/digest-words";
import { locationMessage } from "#service/notify/message/location-words";
import { monitorMessage } from "#service/notify/message/monitor-words";
import {
  briefly,
  fact,
  firstOf,
  lateness,
  linksOf,
  spoken,
  unlinked,
} from "#service/notify/message/parts";
import { plainText } from "#service/notify/message/plain";
import { instant, shortInstant, stretch } from "#service/notify/message/times";

/** Says a notice in words; `timeZone` is the IANA name of the zone that times are written in. */
export function say(notice: Notice, timeZone: string): Message {
  switch (notice.type) {
    case "monitor.error":
    case "monitor.degraded":
    case "monitor.recovered":
    case "monitor.closed":
    case "monitor.reminder":
    case "monitor.flapping":
    case "monitor.settled":
      return monitorMessage(notice, timeZone);
    case "location.offline":
    case "location.online":
    case "location.trouble":
    case "location.well":
    case "location.closed":
      return locationMessage(notice, timeZone);
    case "digest":
      return digestMessage(
        notice,
        notice.entries.map((entry) => ({ entry, said: say(entry.saying, timeZone) })),
        timeZone,
      );
    case "page.news":
      return newsMessage(notice, timeZone);
    case "maintenance.started":
    case "maintenance.changed":
    case "maintenance.ended":
    case "channel.failing":
    case "test":
      return otherMessage(notice, timeZone);
  }
}

/** It is in words already: a page says its news in a language of its reader's. */
const newsMessage = (
  { title, tone, facts, lines, text, links, at }: PageNews,
  timeZone: string,
): Message => ({
  tone,
  title,
  reason: "",
  facts,
  lines: lines.map(unlinked),
  note: text,
  links,
  acknowledgeUrl: null,
  brief: { state: "", name: title, since: shortInstant(at, timeZone) },
});

type MaintenanceNotice = Extract<Notice, { readonly maintenance: unknown }>;
type OtherNotice =
  | MaintenanceNotice
  | Extract<Notice, { readonly type: "channel.failing" | "test" }>;

function otherMessage(notice: OtherNotice, timeZone: string): Message {
  switch (notice.type) {
    case "maintenance.started":
    case "maintenance.changed":
    case "maintenance.ended":
      return maintenanceMessage(notice, timeZone);
    case "channel.failing":
      return channelMessage(notice, timeZone);
    case "test":
      return {
        ...spoken("quiet", "Test", notice.channel),
        reason: `This is a test of ${testedIn(notice)}. Nothing is wrong.`,
        facts: [
          { name: "Sent", value: instant(notice.at, timeZone) },
          { name: "By", value: plainText(notice.service.name) },
        ],
        links: linksOf(["Open the service", notice.service.url]),
        brief: briefly("Test", notice.channel, shortInstant(notice.at, timeZone)),
      };
  }
}

function channelMessage(
  notice: Extract<Notice, { readonly type: "channel.failing" }>,
  timeZone: string,
): Message {
  return {
    ...spoken("slow", "Channel failing", notice.channel.name),
    reason: plainText(notice.message),
    facts: [
      {
        name: "Channel",
        value: `${notice.channel.provider} "${plainText(notice.channel.name)}"`,
      },
      { name: "Since", value: instant(notice.since, timeZone) },
      { name: "Incident", value: String(notice.itsIncident.number) },
      ...lateness(notice, timeZone),
    ],
    links: linksOf(
      ["Open the channel", notice.channel.url],
      ["Open the incident", notice.itsIncident.url],
    ),
    brief: briefly("Channel failing", notice.channel.name, shortInstant(notice.since, timeZone)),
  };
}

const testedIn = ({ channel, isOfMailServer = false }: Extract<Notice, { type: "test" }>): string =>
  isOfMailServer ? "the service's mail server" : `the channel "${plainText(channel)}"`;

function maintenanceState(notice: MaintenanceNotice): string {
  switch (notice.type) {
    case "maintenance.started":
      return "Maintenance";
    case "maintenance.changed":
      return "Maintenance changed";
    case "maintenance.ended":
      return notice.isCancelled ? "Maintenance cancelled" : "Maintenance over";
  }
}

function maintenanceMessage(notice: MaintenanceNotice, timeZone: string): Message {
  const { title, message, from, to, monitorNames, monitorCount, url } = notice.maintenance;
  const state = maintenanceState(notice);
  const isCancelled = notice.type === "maintenance.ended" && notice.isCancelled;
  const before =
    notice.type === "maintenance.changed"
      ? fact("Before", stretch(notice.before.from, notice.before.to, timeZone))
      : [];
  return {
    ...spoken("quiet", state, title),
    reason: isCancelled ? "It was deleted before its end." : plainText(message),
    facts: [
      { name: "From", value: instant(from, timeZone) },
      { name: "To", value: instant(to, timeZone) },
      ...before,
      { name: "Monitors", value: firstOf(monitorNames, monitorCount) },
      ...lateness(notice, timeZone),
    ],
    links: linksOf(["Open the maintenance", url]),
    brief: briefly(state, title, shortInstant(from, timeZone)),
  };
}
