import { type Millis, minutes } from "#base/units";

/* Sign-ins that fail, in the audit log. */

/** The first of a name and an address is written at once, and the others together after this time: an attack is seen early. */
export const refusedSignInsCountedFor: Millis = minutes(2);
/**
 * So many such entries at once, and then so many in that time; what is beyond them is one entry more. So strangers write
 * some 2,160 entries a day by way of a replica, and in a year, by way of one, fewer than the log keeps.
 */
export const refusedSignInEntriesAtOnce = 100;
export const refusedSignInEntriesPerCount = 2;

/* Sign-ins, sign-outs and ended sessions, in the audit log. */

/** What is beyond the entries at once is counted for so long: whoever looks into the log after an alarm finds it there. */
export const sessionsCountedFor: Millis = minutes(30);
/** A person who signs in, out and in again, on a telephone and a desk, has an entry for each of these. */
export const sessionEntriesAtOnce = 10;
/**
 * And then so many in that time. So one person or key in a loop writes 48 entries a day by way of a replica, or some 17,500 a
 * year: three of them by way of three replicas leave room for a year of what strangers write by way of one.
 */
export const sessionEntriesPerCount = 1;
/** Networks, means and people that are counted apart, of one person or key: a few lines that someone reads. */
export const sessionCountsMax = 10;
/** People and keys whose entries are counted at the same time, some 3 MB: more than a service has. */
export const sessionActorsMax = 10_000;

/* Mails for people who have forgotten their password. */

/** Mail is read within minutes of asking for it; a link that someone finds in it later opens nothing. */
export const passwordResetFor: Millis = minutes(30);
/** So many at once for one person, and then one in that time: whoever asks more often fills another's mailbox. */
export const passwordResetsPerPersonMax = 3;
export const passwordResetPerPersonEvery: Millis = minutes(20);
/**
 * So many at once for all people by way of a replica, and then one in that time. Each is an entry of the audit log: these are at
 * most 35,040 a year, which the log has room for next to sign-ins that fail. An owner's link needs none of them.
 */
export const passwordResetsMax = 30;
export const passwordResetEvery: Millis = minutes(15);
/** An ask wakes whoever answers them, who also looks after this time: nothing depends on it. */
export const passwordAsksLookedAtEvery: Millis = minutes(60);
/** Each is one look into a table: only whoever has 120 addresses uses these up for others. */
export const passwordAsksPerMinuteMax = 600;
/** What waits for a slow mail server: 100 of 300 bytes are no memory, and whoever is refused asks again. */
export const passwordAsksWaitingMax = 100;
