import { failureSentence } from "#service/notify/message/failure-sentence";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Acknowledgement, Incident } from "#service/alerting/incident";
import { downSince } from "#service/alerting/down-spans";
import { incidentNowWords } from "#service/operator/incidents/recovery-words";
import { groupAcknowledgement } from "#service/operator/incidents/group-acknowledgement";
import {
  type AcknowledgeRooms,
  isTakingBack,
  takingBack,
} from "#service/operator/incidents/acknowledge-rooms";
import { channelOf, nameOf, timeIn } from "#service/operator/incidents/link-channel";
import { showOutside } from "#service/operator/incidents/outside-page";
import { subjectNow } from "#service/operator/incidents/subject-now";
import { lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import { lastOpening } from "#service/alerts/links";
import { subjectWords } from "#service/alerts/incident-words";
import type { Story } from "#service/store/alert-store";
import { actingAs } from "#service/store/audit/actor";
import type { ChannelHead } from "#service/store/channel-store";
import { readersAddress } from "#web/reader-address";
import { between, type EpochMillis } from "#base/units";

export const acknowledgePath = "/acknowledge/";

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
  const group = acknowledge.readGroup(token);
  if (group !== null) return groupAcknowledgement(group, rooms, request, response);
  const read = acknowledge.read(token);
  const story = read === null ? null : await store.alerts.incidents.story(read.number);
  const isThisOne = story !== null && lastOpening(story.incident) === read?.openedAt;
  if (read === null || !isThisOne || story.incident.ended !== null)
    return showOutside(response, 410, over, html``);
  const { incident } = story;
  const channel = await channelOf(store, read.channel);
  const { monitor } = await subjectNow(pictures, incident.subject);
  const title = `${incidentNowWords(incident, monitor)}: ${subjectWords(story)}`;
  const acted = await actedOn(story, channel, rooms, request);
  const content = html`<p class="kind">${sinceWords(incident, clock.wall(), channel)}</p>
    ${acted}
    <p class="advice"><a href="../incidents/${incident.number}">Open the incident</a></p>`;
  showOutside(response, 200, title, content);
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
  if (request.method !== "POST") return shownWith(story, channel);
  if (acknowledged === null) {
    if (isTakingBack(request)) return shownWith(story, channel);
    const taken = await actingAs(link, () => incidents.acknowledge(number, at, name));
    return acknowledgedWith(taken?.acknowledged ?? { by: name, at }, channel);
  }
  if (acknowledged.by !== name || !isTakingBack(request)) return shownWith(story, channel);
  const made = { by: name, at: acknowledged.at };
  const count = await actingAs(link, () => incidents.takeBackEach([number], made, at, name));
  if (count > 0) return html`${takenBackNote} ${button}`;
  // A person was quicker: it is shown as it is since then.
  return shownWith((await incidents.story(number)) ?? story, channel);
}

const shownWith = (story: Story, channel: ChannelHead | null): Html =>
  story.incident.acknowledged === null
    ? html`${whyWords(reasonIn(story))} ${button}`
    : acknowledgedWith(story.incident.acknowledged, channel);

/** What a person or another channel's link acknowledged is not this link's to take back. */
const acknowledgedWith = (made: WhoAndWhen, channel: ChannelHead | null): Html =>
  html`${acknowledgedNote(made, channel)} ${made.by === nameOf(channel) ? takeBack : null}`;

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

type WhoAndWhen = Pick<Acknowledgement, "by" | "at">;

const acknowledgedNote = ({ by, at }: WhoAndWhen, channel: ChannelHead | null): Html =>
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

/** What the message said, too, behind whose link this is. */
function reasonIn({ events }: Story): string {
  const snapshot = events.at(-1)?.snapshot;
  if (snapshot === undefined) return "";
  if (snapshot.of === "monitor") return failureSentence(snapshot.result?.failure?.message ?? "");
  return "message" in snapshot ? snapshot.message : "";
}
