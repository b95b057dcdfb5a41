import type { CancelledWork } from "#service/store/trash/cancelled-work";
import type { Locale } from "#service/status-page/page-definition";
import type { LoggedSubscriber } from "#service/store/audit/subscriber-event";
import type { NewsTally, TalliesQuery } from "#service/store/news/news-tally";
import type { SubscriberState } from "#service/store/news/subscriber-state";
import type { SaidWork } from "#service/store/news/saved-saying";
import type { MaintenanceRow } from "#service/store/maintenance-store";
import type { ReportRow } from "#service/store/page-store";
import type { RestoreOutcome } from "#service/store/trash/trash-store";
import type { Page } from "#service/store/state-store";
import type { EpochMillis } from "#base/units";

/** Readers of status pages who want their news, and what waits to be sent to them. */
export interface ReaderStore {
  readonly subscribers: Subscribers;
  readonly letters: Letters;
}

/** Readers to whom a status page sends its news. Addresses are sealed: a copy of the database shows none. */
export interface SubscriberRow {
  readonly id: number;
  readonly page: number;
  readonly way: SubscriberWay;
  /** Stands for the address without showing it; the same on every page. */
  readonly mark: string;
  readonly sealed: string;
  readonly name: string;
  readonly source: SubscriberSource;
  readonly locale: Locale;
  /** Null: the whole page. Components that were removed meanwhile are left out. */
  readonly components: readonly number[] | null;
  /** When the mail was asked for whose link is waited for; null if none is. */
  readonly askedAt: EpochMillis | null;
  readonly acceptedAt: EpochMillis | null;
  readonly unsubscribedAt: EpochMillis | null;
  /** How often in a row its server refused it for good. */
  readonly refusals: number;
  /** Why it takes no letters, as a sentence, and since when; empty and null while it does. */
  readonly trouble: string;
  readonly failingSince: EpochMillis | null;
  /** The newest attempt to send it a report's or planned work's news; null before the first. */
  readonly lastSent: NewestAttempt | null;
  /** Whether the service ended it, because its receiver refused what came; false once anyone else did, or it is taken up again. */
  readonly isEndedByReceiver: boolean;
  /** Whether its reader ended it, or did so last: then the reader alone takes it up again. */
  readonly hasLeftItself: boolean;
  readonly createdAt: EpochMillis;
  readonly updatedAt: EpochMillis;
}

interface NewestAttempt {
  readonly at: EpochMillis;
  /** Why it was not received, as a sentence; empty if it was. */
  readonly trouble: string;
}

/** In the order of the contract's numbers, as all lists of words. */
export const subscriberSources = ["self_signup", "vendor", "import"] as const;
type SubscriberSource = (typeof subscriberSources)[number];
export type SubscriberWay = "email" | "webhook";

export const isActive = ({ acceptedAt, unsubscribedAt }: SubscriberRow): boolean =>
  acceptedAt !== null && unsubscribedAt === null;

/** A person who wants a mail: nothing shows yet that the address is theirs. */
export interface MailAsk {
  readonly page: number;
  readonly mark: string;
  readonly sealed: string;
  /** Whether the page is open to the address. If it is not, the ask counts all the same, and no mail is sent. */
  readonly mayGet: boolean;
  /** Stands for the reader's own address; empty if a key asks. */
  readonly reader: string;
  readonly at: EpochMillis;
}
export interface SubscriptionAsk extends MailAsk {
  readonly locale: Locale;
  readonly components: readonly number[] | null;
}
export type NewSubscription = Pick<
  SubscriberRow,
  "page" | "way" | "mark" | "sealed" | "name" | "source" | "locale" | "components"
> & { readonly at: EpochMillis };

/** The same answer for every address: none shows who is subscribed, or who had a mail a moment ago. */
export type AskAnswer = "taken" | "too often" | "full";

export interface Subscribers {
  /** Takes up a subscription that waits for its reader, and has a mail sent: not too often to one address. */
  ask(asked: SubscriptionAsk): Promise<AskAnswer>;
  /** Has a mail sent with a link that signs in. */
  askEntry(asked: MailAsk): Promise<AskAnswer>;
  /** Takes the link of such a mail, once; false for one that was used, or asked for before `since`. */
  enter(page: number, ask: number, since: EpochMillis, at: EpochMillis): Promise<boolean>;
  /** Without a confirmation. One that is there is taken up again; a reader who left by mail is asked, and keeps the choice. */
  add(made: NewSubscription, logged: LoggedSubscriber): Promise<AddOutcome>;
  /** By the mail that was asked for at `askedAt`. */
  confirm(
    id: number,
    askedAt: EpochMillis,
    at: EpochMillis,
    logged: LoggedSubscriber,
  ): Promise<boolean>;
  choose(id: number, components: readonly number[] | null, at: EpochMillis): Promise<boolean>;
  /** As an operator wants. */
  change(
    id: number,
    change: SubscriberChange,
    at: EpochMillis,
    logged: LoggedSubscriber,
  ): Promise<SubscriberChangeOutcome>;
  /** For good: one whom an operator removed before is not put back any more. */
  leave(id: number, at: EpochMillis, by: LeaverKind, logged: LoggedSubscriber): Promise<boolean>;
  /** As an operator wants, who can have it put back for a while. */
  remove(id: number, at: EpochMillis, logged: LoggedSubscriber): Promise<boolean>;
  /** One that was removed since, as it was, with the letters that waited for it. */
  restore(id: number, since: EpochMillis, logged: LoggedSubscriber): Promise<RestoreOutcome>;
  /** Takes up one again that its receiver ended. */
  resume(id: number, at: EpochMillis, logged: LoggedSubscriber): Promise<ResumeOutcome>;
  get(id: number): Promise<SubscriberRow | null>;
  ofMark(page: number, way: SubscriberWay, mark: string): Promise<SubscriberRow | null>;
  list(asked: SubscribersQuery): Promise<{
    readonly subscribers: readonly SubscriberRow[];
    readonly total: number;
    /** How many of them are ended by their receivers. */
    readonly ended: number;
    /** How many of them get nothing yet, as they have not confirmed. */
    readonly unconfirmed: number;
    /** How many of them left, or were removed. */
    readonly unsubscribed: number;
  }>;
  /** How many of a page get news about some of its components; about none: all of them. */
  concerned(concern: Concern): Promise<number>;
  /** Those that were not confirmed or that left before these instants, and the asks of before. */
  forget(before: ForgottenAsks): Promise<void>;
}
/** What an operator may change, and when it was changed last as that operator saw it. */
export interface SubscriberChange extends Pick<SubscriberRow, "name" | "components"> {
  readonly seen: EpochMillis;
}
/** "overtaken": it was changed since. "gone": it was removed, or is not confirmed. */
export type SubscriberChangeOutcome = "changed" | "overtaken" | "gone";
/** "gone": its receiver did not end it, or it was forgotten since. */
export type ResumeOutcome = "resumed" | "full" | "gone";
export interface AddedSubscriber {
  readonly id: number;
  /** False of one whose news came already. */
  readonly isNew: boolean;
  /** Whether its reader left before, and was sent a mail that asks whether news are wanted again: until then none come. */
  readonly isAsked: boolean;
}
/** "too often": its reader left before, and had enough mails that ask, or the page had. */
export type AddOutcome = AddedSubscriber | "full" | "too often";
/** Who ends a subscription: its reader, or a key that an operator has. */
export type LeaverKind = "reader" | "operator";
export interface SubscribersQuery extends Page {
  readonly page: number;
  readonly withUnsubscribed: boolean;
  /** Whether those who have not confirmed, and get nothing yet, are among them; they are if it is not said. */
  readonly withUnconfirmed?: boolean;
  /** Whether those that their receivers ended are among them; they are not if it is not said. */
  readonly withEnded?: boolean;
  /** Only those that get their news so; all if it is not said. */
  readonly way?: SubscriberWay;
  /** Only those that are so: it says alone then whether those who left are among them. */
  readonly state?: SubscriberState;
}
/** What news are about: the page as a whole, if it names no component. */
export interface Concern {
  readonly page: number;
  readonly components: readonly number[];
  /** Only who had subscribed by then; left out: all. */
  readonly saidAt?: EpochMillis;
}
export interface ForgottenAsks {
  readonly unconfirmed: EpochMillis;
  readonly unsubscribed: EpochMillis;
  readonly asks: EpochMillis;
  /** And what became of the news of before. */
  readonly tallies: EpochMillis;
}

/** One mail or message that waits to be sent, with all that it is made of. */
export type Letter = LetterFacts &
  (
    | { readonly of: "confirmation"; readonly subscriber: SubscriberRow }
    | { readonly of: "entry"; readonly sealed: string; readonly ask: number }
    | {
        readonly of: "report";
        readonly subscriber: SubscriberRow;
        readonly report: ReportRow;
        /** The id of the update that it says. */
        readonly update: number;
      }
    | {
        readonly of: "maintenance";
        readonly subscriber: SubscriberRow;
        readonly maintenance: MaintenanceRow;
        readonly said: SaidWork;
      }
    | {
        readonly of: "cancellation";
        readonly subscriber: SubscriberRow;
        readonly work: CancelledWork;
      }
  );
/** Those that say something new. */
export type NewsLetter = Extract<
  Letter,
  { readonly of: "report" | "maintenance" | "cancellation" }
>;
interface LetterFacts {
  readonly id: number;
  readonly page: number;
  readonly createdAt: EpochMillis;
  /** Attempts before this one. */
  readonly attempts: number;
}

/** What becomes of a letter after an attempt. */
export type LetterFate =
  | { readonly is: "sent" }
  | { readonly is: "dropped" }
  /** It is refused for good: the third time in a row ends the subscription. */
  | { readonly is: "refused"; readonly trouble: string }
  /** Its address takes nothing any more: that ends the subscription. */
  | { readonly is: "ended"; readonly trouble: string }
  /** The trouble is the subscriber's own; null if it is the way to all of them. */
  | { readonly is: "later"; readonly dueAt: EpochMillis; readonly trouble: string | null };

export type EndedSubscriber = Pick<SubscriberRow, "id" | "page" | "way">;

/** What waits for subscribers. Replicas share it: each letter is one replica's at a time. */
export interface Letters {
  /** Whether something is to be sent by this way. */
  due(way: SubscriberWay, now: EpochMillis): Promise<boolean>;
  /** A few that are due, of each subscriber the oldest alone, held for a while. */
  claim(holder: string, way: SubscriberWay, now: EpochMillis): Promise<readonly Letter[]>;
  /**
   * Gives the subscriber whose subscription that ended; null if it ended none. `called` is what the log calls it: no
   * address, as that is sealed.
   */
  settle(
    holder: string,
    id: number,
    fate: LetterFate,
    at: EpochMillis,
    called?: string,
  ): Promise<EndedSubscriber | null>;
  /** Gives back what was claimed and not settled. */
  release(holder: string): Promise<void>;
  /** What became of some news, the newest first. Those that were announced before services counted are left out. */
  tallies(asked: TalliesQuery): Promise<readonly NewsTally[]>;
  /** Planned work of which subscribers are to be sent something now, since it begins, ends or begins soon. */
  workDue(now: EpochMillis): Promise<readonly number[]>;
  /** Writes these letters, unless that was done: gives how many moments were said. */
  sayMoments(work: number, now: EpochMillis): Promise<number>;
  /** How many wait, and when the oldest of them was written. */
  waiting(): Promise<WaitingLetters>;
}
interface WaitingLetters {
  readonly count: number;
  /** Null if none waits. */
  readonly oldest: EpochMillis | null;
}
