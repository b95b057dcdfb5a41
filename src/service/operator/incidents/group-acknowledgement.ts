import type { IncomingMessage, ServerResponse } from "node:http";
import * as limits from "#limits/alerts-limits";
import { downSince } from "#service/alerting/down-spans";
import { incidentMark, subjectWords } from "#service/alerts/incident-words";
import { type GroupLink, lastOpening } from "#service/alerts/links";
import { inParts } from "#service/operator/incidents/acknowledged-parts";
import {
  type AcknowledgeRooms,
  isTakingBack,
  takingBack,
} from "#service/operator/incidents/acknowledge-rooms";
import { channelOf, nameOf, timeIn } from "#service/operator/incidents/link-channel";
import { showOutside } from "#service/operator/incidents/outside-page";
import type { NamedIncident } from "#service/store/alert-store";
import { actingAs } from "#service/store/audit/actor";
import type { ChannelHead } from "#service/store/channel-store";
import { counted } from "#base/text";
import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import { readersAddress } from "#web/reader-address";

/**
 * The page behind the link of a message about several incidents: one press acknowledges all of them that are open still.
 * What is over by now, or opened again since the message, is left out.
 */
export async function groupAcknowledgement(
  link: GroupLink,
  rooms: AcknowledgeRooms,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const open = await openOf(link, rooms);
  if (open.length === 0) return showOutside(response, 410, over, html``);
  const channel = await channelOf(rooms.store, link.channel);
  const act = request.method !== "POST" ? null : isTakingBack(request) ? takenBack : acknowledged;
  if (act !== null) await act(open, nameOf(channel), rooms, request);
  const shown = act === null ? open : await openOf(link, rooms);
  const title = counted(shown.length, "open incident");
  showOutside(response, 200, title, groupView(shown, channel, act === takenBack));
}

/** What waits for a person comes first. */
async function openOf(
  { numbers, until }: GroupLink,
  { store }: AcknowledgeRooms,
): Promise<readonly NamedIncident[]> {
  const named: NamedIncident[] = [];
  await inParts(numbers, async (part) => {
    const some = await store.alerts.incidents.named(part);
    return named.push(...some);
  });
  const open = named.filter(
    ({ incident }) => incident.ended === null && lastOpening(incident) <= until,
  );
  const rank = ({ incident }: NamedIncident): number => (incident.acknowledged === null ? 0 : 1);
  return open.toSorted((a, b) => rank(a) - rank(b) || a.incident.number - b.incident.number);
}

async function acknowledged(
  open: readonly NamedIncident[],
  name: string,
  { store, clock, pictures, trustedProxies }: AcknowledgeRooms,
  request: IncomingMessage,
): Promise<void> {
  const at = clock.wall();
  const numbers = open.map(({ incident }) => incident.number);
  const link = { kind: "link", name, from: readersAddress(request, trustedProxies), at } as const;
  await actingAs(link, () =>
    inParts(numbers, (part) => store.alerts.incidents.acknowledgeEach(part, at, name)),
  );
  pictures.outdate();
}

/** Of what this link's channel acknowledged; what a person did stays. */
async function takenBack(
  open: readonly NamedIncident[],
  name: string,
  { store, clock, pictures, trustedProxies }: AcknowledgeRooms,
  request: IncomingMessage,
): Promise<void> {
  const at = clock.wall();
  const link = { kind: "link", name, from: readersAddress(request, trustedProxies), at } as const;
  const own = ownOf(open, name);
  const acts = Map.groupBy(own, ({ incident }) => incident.acknowledged?.at ?? at);
  for (const [made, some] of acts) {
    const numbers = some.map(({ incident }) => incident.number);
    await actingAs(link, () =>
      inParts(numbers, (part) =>
        store.alerts.incidents.takeBackEach(part, { by: name, at: made }, at, name),
      ),
    );
  }
  pictures.outdate();
}

const ownOf = (all: readonly NamedIncident[], name: string): readonly NamedIncident[] =>
  all.filter(({ incident }) => incident.acknowledged?.by === name);

function groupView(
  shown: readonly NamedIncident[],
  channel: ChannelHead | null,
  isTakenBack: boolean,
): Html {
  const waiting = shown.filter(({ incident }) => incident.acknowledged === null).length;
  const more = shown.length - limits.digestNamesMax;
  const takers = new Set(shown.map(({ incident }) => incident.acknowledged?.by ?? ""));
  const note = waiting === 0 ? allNote([...takers]) : isTakenBack ? backNote : null;
  return html`${note}
    <ul class="listed">
      ${shown.slice(0, limits.digestNamesMax).map((one) => lineOf(one, channel, takers.size > 1))}
      ${more > 0 ? html`<li>and ${more} more</li>` : null}
    </ul>
    ${waiting === 0 ? null : acknowledgeForm(waiting, shown.length)}
    ${ownOf(shown, nameOf(channel)).length === 0 ? null : backForm}
    <p class="advice"><a href="../incidents?state=open">Open the incidents</a></p>`;
}

const lineOf = (one: NamedIncident, channel: ChannelHead | null, isMixed: boolean): Html => {
  const { incident } = one;
  const taken = isMixed ? incident.acknowledged : null;
  const by = taken === null ? "" : `, acknowledged by ${taken.by}`;
  return html`<li>
    ${incidentMark(incident)}
    <a href="../incidents/${incident.number}">${subjectWords(one)}</a>, since
    ${timeIn(channel, downSince(incident))}${by}
  </li>`;
};

const over = "This link no longer works: these incidents are over, or have changed.";

const acknowledgeForm = (waiting: number, all: number): Html =>
  html`<form method="post" action="?" class="act">
    <button type="submit" class="main">
      Acknowledge ${waiting === all ? `all ${all}` : `the other ${waiting}`}
    </button>
  </form>`;

const backForm = html`<form method="post" action="?${takingBack}" class="act">
  <button type="submit">Take back</button>
</form>`;

/** If one took all of them, who that is. */
const allNote = (takers: readonly string[]): Html =>
  html`<p class="notice good" role="status">
    ${verdictMark("success", "Acknowledged")}${takers.length === 1 ? ` by ${takers[0] ?? ""}` : ""}:
    no reminders follow until they are worse.
  </p>`;
const backNote = html`<p class="notice good" role="status">
  ${verdictMark("success", "Taken back")}: reminders follow again.
</p>`;
