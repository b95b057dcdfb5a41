import { type ChannelRules, rulesDefault } from "#service/alerting/channel-rules";
import type { EventKind, Incident, Severity } from "#service/alerting/incident";
import { compose, type Composition, type Lane, type Letter } from "#service/alerting/letters";
import type { Parent, Queue, SentDelivery, WaitingDelivery } from "#service/alerting/queue";
import { causeKey, type Fault, type MonitorSnapshot } from "#service/alerting/snapshot";
import type { Manner } from "#service/notify/provider";
import { epochMillis, type EpochMillis, seconds } from "#base/units";

export const noon: EpochMillis = epochMillis(Date.parse("2026-08-12T12:00:00Z"));
export const after = (count: number): EpochMillis => epochMillis(noon + seconds(count));

export const fault = (
  of = 14,
  code: "dns_timeout" | "connection_refused" = "dns_timeout",
): Fault => ({
  location: { id: "7", name: "office" },
  failure: { code, phase: "dns", message: "no name server answered" },
  of,
});

export const snapshot = (
  name: string,
  changes: Partial<MonitorSnapshot> = {},
): MonitorSnapshot => ({
  of: "monitor",
  monitor: {
    id: "1",
    name,
    kind: "http",
    target: `https://${name}.test/`,
    labels: {},
    description: "",
  },
  urgency: "critical",
  locations: [{ id: "7", name: "office", status: "error" }],
  result: null,
  lastGoodAt: null,
  failedChecks: 1,
  fails: null,
  maintenance: null,
  gap: null,
  dependsOn: [],
  period: seconds(30),
  ...changes,
});

let deliveries = 0;

export interface Waits {
  readonly number?: number;
  readonly monitor?: number;
  /** What waits: kinds with the second at which each happened. */
  readonly events: readonly (readonly [EventKind, number, Severity?])[];
  readonly sent?: Partial<SentDelivery> | null;
  readonly ended?: Incident["ended"];
  readonly acknowledged?: Incident["acknowledged"];
  readonly droppedInDoubt?: Queue["droppedInDoubt"];
  readonly parent?: Parent | null;
  readonly unwatchedSince?: Incident["unwatchedSince"];
  readonly seen?: Partial<MonitorSnapshot>;
  readonly waiting?: Partial<WaitingDelivery>;
}

export function queue(waits: Waits): Queue {
  const number = waits.number ?? 1;
  const began = after(waits.events[0]?.[1] ?? 0);
  const isOver = waits.events.some(([kind]) => kind === "closed");
  const incident: Incident = {
    number,
    subject: { kind: "monitor", id: waits.monitor ?? number },
    severity: "error",
    worst: "error",
    startedAt: began,
    openedAt: began,
    ended: waits.ended ?? (isOver ? { at: began, because: "recovered" } : null),
    openings: [began],
    flapping: null,
    noDataSince: null,
    unwatchedSince: waits.unwatchedSince ?? null,
    notBefore: null,
    well: [],
    passedSince: null,
    passes: [],
    acknowledged: waits.acknowledged ?? null,
  };
  const waiting = waits.events.map(([kind, second, severity = "error"], index): WaitingDelivery => {
    deliveries += 1;
    return {
      id: deliveries,
      event: index + 1,
      kind,
      severity,
      at: after(second),
      attempts: 0,
      firstTriedAt: null,
      isInDoubt: false,
      retryAt: null,
      held: null,
      snapshot: snapshot(`shop ${number}`, waits.seen),
      ...waits.waiting,
    };
  });
  const sent: SentDelivery | null =
    waits.sent === undefined || waits.sent === null
      ? null
      : { event: 0, kind: "opened", severity: "error", at: noon, together: 1, ...waits.sent };
  const { droppedInDoubt = [], parent = null } = waits;
  const fails = waits.seen?.fails ?? null;
  const cause = fails === null ? "" : causeKey(fails);
  // What has ended passes: its last event knows no failure.
  const seenLast = waiting.map((one) =>
    one.kind === "closed" && one.snapshot.of === "monitor"
      ? { ...one, snapshot: { ...one.snapshot, fails: null } }
      : one,
  );
  return { incident, cause, waiting: seenLast, sent, droppedInDoubt, parent };
}

export const lane = (
  changes: Partial<Omit<Lane, "rules">> & { readonly rules?: Partial<ChannelRules> } = {},
): Lane => ({
  manner: "chat",
  silences: [],
  recent: [],
  ...changes,
  rules: { ...rulesDefault, ...changes.rules },
});

export const composed = (
  queues: readonly Queue[],
  at: number,
  changes: Parameters<typeof lane>[0] = {},
): Composition => compose(queues, lane(changes), after(at));

/** What letters are, in a word each: `opened`, or `2 many`. */
export const words = ({ letters }: { readonly letters: readonly Letter[] }): readonly string[] =>
  letters.map(({ plans, because }) =>
    because === null ? (plans[0]?.occasion.is ?? "") : `${plans.length} ${because}`,
  );

export const dropped = ({ dropped }: Composition): readonly string[] =>
  dropped.map(({ delivery, reason }) => `${delivery.kind} ${reason}`);

export const held = (composition: Composition): readonly string[] =>
  composition.held.map(({ reason, until }) =>
    `${reason} ${until === null ? "" : (until - noon) / 1_000}`.trim(),
  );

export const manners: readonly Manner[] = ["chat", "pager", "phone", "mail", "push", "webhook"];
