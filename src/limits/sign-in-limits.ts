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
