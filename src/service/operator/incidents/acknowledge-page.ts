import { failureSentence } from "#service/notify/message/failure-sentence";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Incident } from "#service/alerting/incident";
import { downSince } from "#service/alerting/down-spans";
import type { Clock } from "#base/clock";
import { instant } from "#service/notify/message/times";
import { incidentNowWords } from "#service/operator/incidents/recovery-words";
import { subjectNow } from "#service/operator/incidents/subject-now";
import type { Pictures } from "#service/operator/pictures";
import { scriptTag } from "#service/operator/script-tag";
import { lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { logo } from "#web/page/logo";
import { verdictMark } from "#web/page/verdict-mark";
import { timeMark } from "#web/page/time-mark";
import { type AcknowledgeLinks, lastOpening } from "#service/alerts/links";
import { subjectWords } from "#service/alerts/incident-words";
import type { Story } from "#service/store/alert-store";
import { actingAs } from "#service/store/audit/actor";
import type { ChannelHead } from "#service/store/channel-store";
import { channelId } from "#service/store/ids";
import type { Store } from "#service/store/store";
import type { Block } from "#network/address-block";
import { readersAddress } from "#web/reader-address";
import { between, type EpochMillis } from "#base/units";

export const acknowledgePath = "/acknowledge/";

export interface AcknowledgeRooms {
  readonly store: Store;
  readonly clock: Clock;
  readonly acknowledge: AcknowledgeLinks;
  readonly pictures: Pictures;
  readonly trustedProxies: readonly Block[];
}

/**
 * The page behind a link in a message. Opening it changes nothing, because programs that look at mail open links too:
 * its button does.
 */
export async function acknowledgePage(
  rooms: AcknowledgeRooms,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { store, clock, acknowledge, pictures } = rooms;
  const token = (request.url ?? "").split("?")[0]?.slice(acknowledgePath.length) ?? "";
  const read = acknowledge.read(token);
  const story = read === null ? null : await store.alerts.incidents.story(read.number);
  const isThisOne = story !== null && lastOpening(story.incident) === read?.openedAt;
  if (read === null || !isThisOne || story.incident.ended !== null)
    return show(response, 410, over, html``);
  const { incident } = story;
  const channel = await channelOf(store, read.channel);
  const { monitor } = await subjectNow(pictures, incident.subject);
  const title = `${incidentNowWords(incident, monitor)}: ${subjectWords(story)}`;
  const acted = await actedOn(story, channel, rooms, request);
  const content = html`<p class="kind">${sinceWords(incident, clock.wall(), channel)}</p>
    ${acted}
    <p class="advice"><a href="../incidents/${incident.number}">Open the incident</a></p>`;
  show(response, 200, title, content);
}

/** Does what its button asks for, and says how it is then, with what can be done next. */
async function actedOn(
  story: Story,
  channel: ChannelHead | null,
  { store, clock, trustedProxies }: AcknowledgeRooms,
  request: IncomingMessage,
): Promise<Html> {
  const { incidents } = store.alerts;
  const { number, acknowledged } = story.incident;
  const [name, at] = [nameOf(channel), clock.wall()];
  const link = { kind: "link", name, from: readersAddress(request, trustedProxies), at } as const;
  const isPost = request.method === "POST";
  if (acknowledged === null) {
    if (!isPost || isTakingBack(request)) return html`${whyWords(reasonIn(story))} ${button}`;
    const taken = await actingAs(link, () => incidents.acknowledge(number, at, name));
    const by = taken?.acknowledged ?? { by: name, at };
    return html`${acknowledgedNote(by, channel)} ${takeBack}`;
  }
  // What a person or another channel's link acknowledged is not this link's to take back.
  const isOwn = acknowledged.by === name;
  if (!isOwn || !isPost || !isTakingBack(request))
    return html`${acknowledgedNote(acknowledged, channel)} ${isOwn ? takeBack : null}`;
  await actingAs(link, () => incidents.takeBack(number, at, name));
  return html`${takenBackNote} ${button}`;
}

const isTakingBack = ({ url = "" }: IncomingMessage): boolean => url.endsWith(`?${takingBack}`);
const takingBack = "take-back";

/** Whose message it is in; null if that is not known, or if the channel was deleted. */
const channelOf = async ({ alerts }: Store, channel: number | null): Promise<ChannelHead | null> =>
  channel === null ? null : alerts.channels.head(channelId(channel));

const nameOf = (channel: ChannelHead | null): string =>
  channel === null ? "a link in a message" : `a link in a message to ${channel.name}`;

const over = "This link no longer works: the incident is over, or has changed.";
/** Also on the page that a take back leads to. */
const button = html`<form method="post" action="?" class="act">
  <button type="submit" class="main">Acknowledge</button>
</form>`;

const takeBack = html`<form method="post" action="?${takingBack}" class="act">
  <button type="submit">Take back</button>
</form>`;

const whyWords = (reason: string): Html | null =>
  reason === "" ? null : html`<p class="why">${reason}</p>`;

const acknowledgedNote = (
  { by, at }: Pick<NonNullable<Incident["acknowledged"]>, "by" | "at">,
  channel: ChannelHead | null,
): Html =>
  html`<p class="notice good" role="status">
    ${verdictMark("success", "Acknowledged")} by ${by}, ${timeIn(channel, at)}: no reminders follow
    until it is worse.
  </p>`;

const takenBackNote = html`<p class="notice good" role="status">
  ${verdictMark("success", "Taken back")}: reminders follow again.
</p>`;

/** `Incident 4, since 12 Nov 2026, 15:03:22 CET, for 5 min`: of what was well in between the last time, as in the message. */
const sinceWords = (incident: Incident, now: EpochMillis, channel: ChannelHead | null): Html => {
  const since = downSince(incident);
  return html`Incident ${incident.number}, since ${timeIn(channel, since)}, for
  ${lengthOf(between(since, now))}`;
};

/** As the message has it that led here: in the zone of its channel. Without one a script shows it in that of the reader. */
const timeIn = (channel: ChannelHead | null, at: EpochMillis): Html | string =>
  channel === null ? timeMark(at) : instant(at, channel.rules.timeZone);

/** What the message said, too, behind whose link this is. */
function reasonIn({ events }: Story): string {
  const snapshot = events.at(-1)?.snapshot;
  if (snapshot === undefined) return "";
  if (snapshot.of === "monitor") return failureSentence(snapshot.result?.failure?.message ?? "");
  return "message" in snapshot ? snapshot.message : "";
}

function show(response: ServerResponse, status: number, title: string, content: Html): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-security-policy":
      "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'",
  });
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Picket</title>
        <link rel="icon" href="../icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="../style.css" />
        ${scriptTag("outside")}
      </head>
      <body class="operator alone">
        <header>
          <div class="rail">
            <p class="brand"><a href="../">${logo} Picket</a></p>
          </div>
        </header>
        <main>
          <h1 class="target">${title}</h1>
          ${content}
        </main>
      </body>
    </html> `.text;
  response.end(page);
}
