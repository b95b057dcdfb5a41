import type { AgentEvent } from "#service/store/audit/agent-event";
import type { SubscriberEvent } from "#service/store/audit/subscriber-event";
import type { SessionEvent } from "#service/store/audit/session-event";
import type { Sql } from "#service/store/sql";
import type { TrashKind } from "#service/store/trash/trash-store";

/** What the log of changes has entries of. */
export const auditedKinds = [
  "monitor",
  "location",
  "channel",
  "page",
  "subscriber",
  "report",
  "maintenance",
  "silence",
  "incident",
  "key",
  "person",
  "session",
  "setting",
] as const;
export type AuditedKind = (typeof auditedKinds)[number];
/** Those that have a state which is compared; of sessions and subscribers the log has what happened. */
export type StateKind = Exclude<AuditedKind, EventKind>;
type EventKind = "session" | "subscriber";

export const isEventKind = (kind: AuditedKind): kind is EventKind =>
  kind === "session" || kind === "subscriber";

/** An object of the log: what stands on a status page is a part of the page. */
export interface Subject {
  readonly kind: AuditedKind;
  /** Decimal, but the name of a setting, whose a session is, and of a subscriber its page and its number, e.g. `1.5`. */
  readonly id: string;
}

/** What a verb deletes: an object, or a part of a status page that can be put back. */
export interface Removal {
  readonly kind: AuditedKind | TrashKind;
  readonly id: string;
  /** What the trash calls it, if that is not its name. */
  readonly name?: string;
  /** Of planned work, what its subscribers are sent once it cannot be put back: `trash/cancelled-work.ts`, as JSON. */
  readonly cancelled?: string;
}

/** Which objects a verb that writes may change, so that they are recorded; or why nothing of it is. */
export type Audit<A extends readonly unknown[], R> = NoAudit | EventAudit<A, R> | ObjectAudit<A, R>;

export type LoggedEvent = SessionEvent | SubscriberEvent | AgentEvent;

interface NoAudit {
  readonly records: "nothing";
  readonly why: string;
}

/** What a verb does about sessions, subscribers or agents changes no object whose states are compared: it says itself what happened. */
interface EventAudit<A extends readonly unknown[], R> {
  readonly records: "events";
  events(value: R, ...args: A): readonly LoggedEvent[];
  /** What it deletes if anything happens, and is kept for a while. */
  gone(...args: A): readonly Removal[];
}

/** The methods are loose in their arguments, so that one that needs fewer serves. */
interface ObjectAudit<A extends readonly unknown[], R> {
  readonly records: "objects";
  /** Those that are there before. */
  before(sql: Sql, ...args: A): Promise<readonly Subject[]>;
  /** Those that it makes. */
  made(value: R, ...args: A): readonly Subject[];
  /** Those that it deletes: they are kept for a while, if they are of a kind that can be put back. */
  gone(...args: A): readonly Removal[];
  /** What it is called to make one. */
  readonly deed: "made" | "restored";
  /** Whether it takes back what was changed before. */
  undoes(...args: A): boolean;
}

export const unaudited = (why: string): NoAudit => ({ records: "nothing", why });

/** The verb is about sessions, subscribers or agents, and this is what happened. */
export const happens = <A extends readonly unknown[], R>(
  events: (value: R, ...args: A) => readonly LoggedEvent[],
  gone: (...args: A) => readonly Removal[] = () => [],
): EventAudit<A, R> => ({ records: "events", events, gone });

/** The verb makes one object: `idOf` has its id in what the verb gives, null if it made none. */
export const makes = <R>(
  kind: AuditedKind,
  idOf: (value: R) => number | string | null,
): ObjectAudit<readonly never[], R> => ({
  records: "objects",
  deed: "made",
  before: async () => [],
  made: (value) => subjects(kind, [idOf(value)]),
  gone: () => [],
  undoes: () => false,
});

/** The verb changes or deletes one object, whose id is its first argument. */
export const alters = (
  kind: AuditedKind,
): ObjectAudit<readonly [id: number | string, ...rest: readonly never[]], unknown> =>
  altersEach(async (_sql, id) => subjects(kind, [id]));

/** The verb deletes one object, whose id is its first argument. */
export const deletes = (
  kind: AuditedKind,
): ObjectAudit<readonly [id: number | string, ...rest: readonly never[]], unknown> => ({
  ...alters(kind),
  gone: (id) => subjects(kind, [id]),
});

/** The verb changes what these are. */
export const altersEach = <A extends readonly unknown[]>(
  before: (sql: Sql, ...args: A) => Promise<readonly Subject[]>,
): ObjectAudit<A, unknown> => ({
  records: "objects",
  deed: "made",
  before,
  made: () => [],
  gone: () => [],
  undoes: () => false,
});

export const subjects = (
  kind: AuditedKind,
  ids: readonly (number | string | null)[],
): readonly Subject[] => ids.flatMap((id) => (id === null ? [] : [{ kind, id: String(id) }]));
