import { openStore } from "#service/store/open-store";
import type { DeliveryRow, NamedIncident } from "#service/store/alert-store";
import type { TakenMessage } from "./moody-provider.ts";
import type { NotifiedScene } from "./notified-scene.ts";

/** What the service says that it sent, and what the providers took. */
export interface MessageLedger {
  readonly incidents: readonly NamedIncident[];
  readonly deliveries: readonly DeliveryRow[];
  /** Deliveries that are neither sent nor dropped with a reason. */
  readonly open: readonly string[];
  /** Incidents whose beginning a channel neither heard nor is counted for. */
  readonly uncounted: readonly string[];
  /** Sent, as the service says, and never taken; or taken and not in the service's books. */
  readonly lost: readonly string[];
  /** Webhook messages of one monitor in a wrong order, and alerts that stand at the pager. */
  readonly wrong: readonly string[];
  /** Taken more than once: the service was killed, or the connection broke, before it knew. */
  readonly repeated: Readonly<Record<string, number>>;
  /** How many deliveries came to what. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Reads the service's own books; it may be running. */
export async function messageLedger(scene: NotifiedScene): Promise<MessageLedger> {
  await using store = await openStore({
    database: scene.database,
    use: "command",
    onProgress: () => {},
  });
  const { incidents: all, deliveries: outbox } = store.alerts;
  const asked = { channel: null, incident: null, state: null, limit: 1_000 } as const;
  const deliveries = await everything(async (offset) => {
    const { deliveries: some, total } = await outbox.list({ ...asked, offset });
    return { some, total };
  });
  const incidents = await everything(async (offset) => {
    const page = {
      isOpen: null,
      kind: null,
      subject: null,
      location: null,
      cause: null,
      before: null,
      limit: 1_000,
      offset,
    };
    const { incidents: some, total } = await all.list(page);
    return { some, total };
  });
  const { taken } = scene.provider;
  const hook = hookLedger(scene, deliveries, taken);
  const pager = pagerLedger(scene, deliveries, taken, incidents);
  const chat = chatLedger(scene, deliveries, taken);
  return {
    incidents,
    deliveries,
    open: deliveries
      .filter(({ state, reason }) => state !== "sent" && (state !== "dropped" || reason === ""))
      .map(({ id, state, reason, message }) => `${id}: ${state} ${reason} ${message}`),
    uncounted: uncountedIn(scene, incidents, deliveries),
    lost: [...hook.lost, ...chat.lost],
    wrong: [...hook.wrong, ...pager.wrong],
    repeated: { ops: chat.repeated, hook: hook.repeated },
    outcomes: countsOf(deliveries.map(({ state, reason }) => (state === "sent" ? "sent" : reason))),
  };
}

async function everything<T>(
  page: (offset: number) => Promise<{ readonly some: readonly T[]; readonly total: number }>,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (;;) {
    const { some, total } = await page(all.length);
    all.push(...some);
    if (all.length >= total || some.length === 0) return all;
  }
}

/** The chat covers every monitor; the two others those that they were made for. */
function uncountedIn(
  { channels, monitors }: NotifiedScene,
  incidents: readonly NamedIncident[],
  deliveries: readonly DeliveryRow[],
): readonly string[] {
  const opened = new Set(
    deliveries
      .filter(({ kind }) => kind === "opened")
      .map(({ channel, incident }) => `${channel} ${incident}`),
  );
  const ops = channels.get("ops") ?? 0;
  return incidents
    .filter(({ incident }) => incident.subject.kind === "monitor")
    .filter(({ incident }) => !opened.has(`${ops} ${incident.number}`))
    .map(
      ({ name, incident }) => `${name}, incident ${incident.number} of ${monitors.office.length}`,
    );
}

const of = (taken: readonly TakenMessage[], path: string): readonly TakenMessage[] =>
  taken.filter((one) => one.path.startsWith(path));

function hookLedger(
  { channels }: NotifiedScene,
  deliveries: readonly DeliveryRow[],
  all: readonly TakenMessage[],
): { lost: readonly string[]; wrong: readonly string[]; repeated: number } {
  const taken = of(all, "/hook");
  const ids = taken.map(({ headers }) => Number(String(headers["webhook-id"]).split("-").at(-1)));
  const own = deliveries.filter(({ channel }) => channel === channels.get("hook"));
  const unique = new Set(ids);
  const lost = own
    .filter(({ id, state }) => state === "sent" && !unique.has(id))
    .map(
      ({ id, name, kind }) => `the webhook's ${kind} of ${name} (${id}) was sent and never taken`,
    );
  const known = new Set(own.map(({ id }) => id));
  const strange = [...unique]
    .filter((id) => !known.has(id))
    .map((id) => `webhook ${id} is in no book`);
  // A receiver leaves out what it has: the first of each id counts.
  const first = taken.filter((_, index) => ids.indexOf(ids[index] ?? 0) === index);
  const wrong = [...Map.groupBy(first.map(bodyOf), ({ monitor }) => monitor)].flatMap(
    ([monitor, said]) =>
      wrongOrder(
        monitor,
        said.map(({ type }) => type),
      ),
  );
  return { lost: [...lost, ...strange], wrong, repeated: taken.length - unique.size };
}

function bodyOf({ body }: TakenMessage): { readonly monitor: string; readonly type: string } {
  const {
    type,
    monitor,
    data,
  }: { type: string; monitor?: { name: string }; data: { location?: { name: string } } } =
    JSON.parse(body);
  return { type, monitor: monitor?.name ?? data.location?.name ?? "" };
}

const ups: ReadonlySet<string> = new Set([
  "monitor.recovered",
  "monitor.closed",
  "location.online",
  "location.closed",
]);

/** Up is said after down alone, and once. */
function wrongOrder(monitor: string, types: readonly string[]): readonly string[] {
  return types.flatMap((type, index) => {
    const before = types[index - 1];
    const isWrong = ups.has(type) && (before === undefined || ups.has(before));
    return isWrong ? [`webhook: ${type} of ${monitor} after ${before ?? "nothing"}`] : [];
  });
}

/** Everything is well at the end, or flaps: no other alert may stand. */
function pagerLedger(
  { channels }: NotifiedScene,
  deliveries: readonly DeliveryRow[],
  all: readonly TakenMessage[],
  incidents: readonly NamedIncident[],
): { wrong: readonly string[] } {
  const flapping = new Set(
    incidents
      .filter(({ incident }) => incident.ended === null)
      .map(({ incident }) => String(incident.subject.id)),
  );
  const events = of(all, "/v2").map(({ at, body }) => {
    const event: { dedup_key: string; event_action: string } = JSON.parse(body);
    return { at, key: event.dedup_key, action: event.event_action };
  });
  const own = deliveries.filter(({ channel }) => channel === channels.get("pager"));
  const standing = [...Map.groupBy(events, ({ key }) => key)].filter(
    ([key, taken]) =>
      taken.at(-1)?.action !== "resolve" && !flapping.has(key.split("-").at(-1) ?? ""),
  );
  return {
    wrong: standing.map(([key, taken]) => {
      const numbers = new Set(
        incidents
          .map(({ incident }) => incident)
          .filter(({ subject: { kind, id } }) => kind === "monitor" && key.endsWith(`-${id}`))
          .map(({ number }) => number),
      );
      const story = own.filter(({ incident }) => numbers.has(incident)).map(toldOf);
      const heard = taken.map(({ at, action }) => `${clockTime(at)} ${action}`);
      return `an alert of ${key} stands: the pager took ${heard.join(", ")}; the books say ${story.toReversed().join("; ")}`;
    }),
  };
}

const clockTime = (at: number): string => new Date(at).toISOString().slice(11, 23);

/** A delivery as the next person to read a failure needs it. */
const toldOf = (row: DeliveryRow): string => {
  const { id, incident, kind, createdAt, state, reason, attempts, settledAt } = row;
  const settled = settledAt === null ? "" : ` at ${clockTime(settledAt)}`;
  return `${id}: ${kind} of incident ${incident} at ${clockTime(createdAt)}, ${attempts} attempts, ${state} ${reason}${settled}`;
};

/** Deliveries that one message covered were settled in one instant. */
function chatLedger(
  { channels }: NotifiedScene,
  deliveries: readonly DeliveryRow[],
  all: readonly TakenMessage[],
): { lost: readonly string[]; repeated: number } {
  const taken = of(all, "/ops").length;
  const sent = deliveries.filter(
    ({ channel, state }) => channel === channels.get("ops") && state === "sent",
  );
  const letters = new Set(sent.map(({ settledAt }) => settledAt)).size;
  const lost = taken < letters ? [`the chat took ${taken} messages of ${letters}`] : [];
  return { lost, repeated: Math.max(0, taken - letters) };
}

function countsOf(words: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}
