import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "#clock";
import { type AcknowledgeLinks, lastOpening } from "#service/alerts/links";
import type { Store } from "#store/store";

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
  if (!isThisOne || story.incident.ended !== null)
    return show(response, 410, "This link no longer works: the incident is over, or has changed.");
  const { incident } = story;
  if (incident.acknowledged !== null)
    return show(response, 200, `Incident ${incident.number} is acknowledged already.`);
  if (request.method !== "POST") return show(response, 200, `Incident ${incident.number}`, button);
  await store.alerts.incidents.acknowledge(incident.number, clock.wall(), "a link in a message");
  show(response, 200, `Incident ${incident.number} is acknowledged: no reminders follow.`);
}

const button = '<form method="post"><button>Acknowledge</button></form>';

/** No foreign text is in it, so nothing has to be escaped. */
function show(response: ServerResponse, status: number, text: string, form = ""): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "content-security-policy": "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
  });
  const head = '<!doctype html><html lang="en"><meta name="viewport" content="width=device-width">';
  response.end(`${head}<title>Picket</title><main><h1>${text}</h1>${form}</main></html>\n`);
}
