import type { IncomingMessage, ServerResponse } from "node:http";
import type { Incident } from "#service/alerting/incident";
import type { Clock } from "#base/clock";
import { dayAndTime, span } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { type AcknowledgeLinks, lastOpening } from "#service/alerts/links";
import { severityWords, subjectWords } from "#service/alerts/incident-words";
import type { Story } from "#service/store/alert-store";
import type { Store } from "#service/store/store";
import { between, type EpochMillis } from "#base/units";

export const acknowledgePath = "/acknowledge/";

export interface AcknowledgeRooms {
  readonly store: Store;
  readonly clock: Clock;
  readonly acknowledge: AcknowledgeLinks;
}

/**
 * The page behind a link in a message. Opening it changes nothing, because programs that look at mail open links too:
 * its button does.
 */
export async function acknowledgePage(
  { store, clock, acknowledge }: AcknowledgeRooms,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const token = (request.url ?? "").split("?")[0]?.slice(acknowledgePath.length) ?? "";
  const read = acknowledge.read(token);
  const story = read === null ? null : await store.alerts.incidents.story(read.number);
  const isThisOne = story !== null && lastOpening(story.incident) === read?.openedAt;
  if (!isThisOne || story.incident.ended !== null) return show(response, 410, over, html``);
  const { incident } = story;
  const title = `${severityWords[incident.severity]}: ${subjectWords(story)}`;
  const rest = (said: string, form: Html | null = null): Html =>
    html`<p>${sinceWords(incident, clock.wall())}</p>
      ${said === "" ? null : html`<p>${said}</p>`} ${form}`;
  if (incident.acknowledged !== null)
    return show(response, 200, title, rest("It is acknowledged already."));
  if (request.method !== "POST") return show(response, 200, title, rest(reasonIn(story), button));
  await store.alerts.incidents.acknowledge(incident.number, clock.wall(), "a link in a message");
  show(response, 200, title, rest("It is acknowledged: no reminders follow."));
}

const over = "This link no longer works: the incident is over, or has changed.";
const button = html`<form method="post"><button>Acknowledge</button></form>`;

/** `Incident 4, since 12 Nov, 14:03:22 UTC, for 5 min`. */
const sinceWords = ({ number, startedAt }: Incident, now: EpochMillis): string =>
  `Incident ${number}, since ${dayAndTime(startedAt)}, for ${span(between(startedAt, now))}`;

/** What the message said, too, behind whose link this is. */
function reasonIn({ events }: Story): string {
  const snapshot = events.at(-1)?.snapshot;
  if (snapshot === undefined) return "";
  if (snapshot.of === "monitor") return snapshot.result?.failure?.message ?? "";
  return "message" in snapshot ? snapshot.message : "";
}

function show(response: ServerResponse, status: number, title: string, content: Html): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  });
  const head = '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">';
  const main = html`<title>${title} · Picket</title>
    <main>
      <h1>${title}</h1>
      ${content}
    </main>`;
  response.end(`${head}${main.text}</html>\n`);
}
