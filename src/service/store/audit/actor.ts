import { AsyncLocalStorage } from "node:async_hooks";
import type { Subject } from "#service/store/audit/audited";
import type { EpochMillis } from "#base/units";

/**
 * Who changes something: a person by a page, a key by a call, files, a command on the service's machine, whoever has a
 * link of a message, the service, or a stranger who tries to sign in or has forgotten a password.
 */
export type ActorKind = "person" | "key" | "files" | "command" | "link" | "service" | "stranger";

export interface Actor {
  readonly kind: ActorKind;
  readonly name: string;
  /** The address of the request; empty if there was none. */
  readonly from: string;
  /** By the service's clock; null takes the database's. */
  readonly at: EpochMillis | null;
}

/** By which entries, and what was deleted, are found. */
export const actorWords = ({ kind, name }: Pick<Actor, "kind" | "name">): string =>
  `${kind} ${name}`;

/** The object that a form shows, and the newest entry of it when the form was made. */
export interface Basis extends Subject {
  readonly version: number;
}

/** What goes with each write: who does it, and what they had before their eyes. */
export interface Authorship {
  readonly actor: Actor;
  /** Null if the write does not ask whether the object is still as it was. */
  readonly basis: Basis | null;
  /** Whether it is undone, and refused with what it would have changed. */
  readonly isRehearsal: boolean;
  /** Whether it takes an earlier change back: an Undo. */
  readonly isUndo: boolean;
}

const theService: Actor = { kind: "service", name: "the service", from: "", at: null };
const ownWork: Authorship = {
  actor: theService,
  basis: null,
  isRehearsal: false,
  isUndo: false,
};

/*
 * A door sets this once for a request, and the store reads it where a change is recorded. So no signature between them
 * has it, and none can leave it out.
 */
const current = new AsyncLocalStorage<{
  readonly actor: Actor;
  basis: Basis | null;
  readonly isRehearsal: boolean;
  readonly isUndo: boolean;
}>();

export const actorNow = (): Actor => current.getStore()?.actor ?? theService;

/**
 * Whose write this is. The first write of a form is the one that is compared with what the form showed: those after it
 * follow the form's own change.
 */
export function authorshipOfWrite(): Authorship {
  const known = current.getStore();
  if (known === undefined) return ownWork;
  const authorship = { ...known };
  known.basis = null;
  return authorship;
}

/** Does work whose changes are this actor's. */
export const actingAs = <T>(actor: Actor, work: () => T): T =>
  current.run({ actor, basis: null, isRehearsal: false, isUndo: false }, work);

/** Does work that is undone and refused as overtaken if the object was changed after the version that a person saw. */
export const basedOn = <T>(basis: Basis, work: () => T): T =>
  current.run({ actor: actorNow(), basis, isRehearsal: false, isUndo: false }, work);

/** Does work that takes a change back, which made this version; it is refused as overtaken if the object was changed since. */
export const undoing = <T>(basis: Basis, work: () => T): T =>
  current.run({ actor: actorNow(), basis, isRehearsal: false, isUndo: true }, work);

/** Does work up to its first recorded write, which is undone: it is refused as rehearsed, and says what it would have changed. */
export const rehearsing = <T>(work: () => T): T =>
  current.run({ actor: actorNow(), basis: null, isRehearsal: true, isUndo: false }, work);

/** Whether the work that runs is a rehearsal, which asks no one anything. */
export const isRehearsing = (): boolean => current.getStore()?.isRehearsal === true;
