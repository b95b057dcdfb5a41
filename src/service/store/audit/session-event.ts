import type { FieldChange } from "#service/store/audit/field-change";
import type { EndedOnes, SessionOwner } from "#service/store/people-store";

/** What the log has of sessions of the pages: none of it changes an object. */
export type SessionDeed = "signed in" | "refused" | "signed out" | "ended";

/** Someone signed in or out, could not, or ended sessions. */
export interface SessionEvent {
  readonly deed: SessionDeed;
  /** Whose sessions, as `PageSession.who` has it, e.g. `account 3`; empty if no one is known. */
  readonly who: string;
  /** What they are called. Of a refused one: as it was typed, only if there is such a person. */
  readonly name: string;
  /** E.g. by what means; the values are words and numbers, never a secret. */
  readonly facts: Readonly<Record<string, string>>;
}

/** The facts of an event, as an entry has its fields. */
export const factsOf = ({ facts }: SessionEvent): readonly FieldChange[] =>
  Object.entries(facts).map(([field, after]) => ({ field, is: "text", before: null, after }));

/** Of a session that a person ended by signing out of it; nothing if it had ended. */
export const signOutEvents = (
  isNew: boolean,
  { who, name }: SessionOwner,
): readonly SessionEvent[] => (isNew ? [{ deed: "signed out", who, name, facts: {} }] : []);

/** Of sessions of one person that someone ended; nothing if there were none. */
export const endEvents = ({ who, name, count }: EndedOnes): readonly SessionEvent[] =>
  count === 0 ? [] : [{ deed: "ended", who, name, facts: { sessions: String(count) } }];
