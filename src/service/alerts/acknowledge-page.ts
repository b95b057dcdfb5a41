import { failureSentence } from "#service/notify/message/failure-sentence";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Incident } from "#service/alerting/incident";
import type { Clock } from "#base/clock";
import { dayAndTime, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { logo } from "#web/page/logo";
import { type AcknowledgeLinks, lastOpening } from "#service/alerts/links";
import { severityWords, subjectWords } from "#service/alerts/incident-words";
import type { Story } from "#service/store/alert-store";
import { actingAs } from "#service/store/audit/actor";
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
  readonly trustedProxies: readonly Block[];
}

/**
 * The page behind a link in a message. Opening it changes nothing, because programs that look at mail open links too:
 * its button does.
 */
export async function acknowledgePage(
  { store, clock, acknowledge, trustedProxies }: AcknowledgeRooms,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const token = (request.url ?? "").split("?")[0]?.slice(acknowledgePath.length) ?? "";
  const read = acknowledge.read(token);
  const story = read === null ? null : await store.alerts.incidents.story(read.number);
  const isThisOne = story !== null && lastOpening(story.incident) === read?.openedAt;
  if (read === null || !isThisOne || story.incident.ended !== null)
    return show(response, 410, over, html``);
  const { incident } = story;
  const title = `${severityWords[incident.severity]}: ${subjectWords(story)}`;
  const rest = (said: string, form: Html | null = null): Html =>
    html`<p class="kind">${sinceWords(incident, clock.wall())}</p>
      ${said === "" ? null : html`<p class="why">${said}</p>`} ${form}
      <p class="advice"><a href="../incidents/${incident.number}">Open the incident</a></p>`;
  if (incident.acknowledged !== null)
    return show(response, 200, title, rest(alreadyWords(incident.acknowledged)));
  if (request.method !== "POST") return show(response, 200, title, rest(reasonIn(story), button));
  const [name, at] = [await nameOf(store, read.channel), clock.wall()];
  const from = readersAddress(request, trustedProxies);
  await actingAs({ kind: "link", name, from, at }, () =>
    store.alerts.incidents.acknowledge(incident.number, at, name),
  );
  show(response, 200, title, rest("Acknowledged: no reminders follow until it is worse."));
}

/** With the channel whose message it is in, if that is known and was not deleted. */
async function nameOf({ alerts }: Store, channel: number | null): Promise<string> {
  const known = channel === null ? null : await alerts.channels.head(channelId(channel));
  return known === null ? "a link in a message" : `a link in a message to ${known.name}`;
}

const over = "This link no longer works: the incident is over, or has changed.";
const button = html`<form method="post" class="act">
  <button type="submit" class="main">Acknowledge</button>
</form>`;

const alreadyWords = ({ by, at }: NonNullable<Incident["acknowledged"]>): string =>
  `Acknowledged by ${by}, ${dayAndTime(at)}: no reminders follow until it is worse.`;

/** `Incident 4, since 12 Nov, 14:03:22 UTC, for 5 min`. */
const sinceWords = ({ number, startedAt }: Incident, now: EpochMillis): string =>
  `Incident ${number}, since ${dayAndTime(startedAt)}, for ${lengthOf(between(startedAt, now))}`;

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
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'",
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
