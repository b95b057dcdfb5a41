import { type Millis, minutes } from "#base/units";

/* What a line of a list shows of what may be long. */

/** Labels of a monitor in its line; the others are in the title of their number. */
export const lineLabelsMax = 4;
/** Monitors on the page of their location, the worst first: the overview has the others. */
export const locationMonitorsShown = 12;
/** Characters at the end of a target that stay when it is cut: the name of a file. */
export const targetEndChars = 16;
/** Characters of a target that a comfortable line of a desk has room for in any case. */
export const targetWholeChars = 34;
/** Characters of an address that says which monitors stay selected: with all else, 2,000 pass every proxy. */
export const pickedCharsMax = 1_500;
/** So many turns in a row, with one of them down, are one line of a timeline: a cycle of what flaps has four, two seen and two said. */
export const turnsFoldedMin = 4;
/** Turns that stay lines by themselves below those: how it is now, and how it was before that. */
export const newestTurnsShown = 2;
/** Times that an incident closed, opened again, or was worse or better, and each is a line by itself: two ends come before it flaps. */
export const incidentTurnsShown = 3;
/** Labels that all monitors of a large group have: with more, what differs is lost. */
export const commonLabelsShown = 3;
/** Parts of a host's name that are said to be common: `example` or `com` alone says nothing. */
export const commonPartsMin = 2;
/** Monitors that the sentence of a channel names: of more it says their number, and its page lists them. */
export const sentenceMonitorsNamed = 3;
/** Locations that the row of a cause names, each with its number of monitors: more fill no line that is read at a glance. */
export const placesCounted = 3;
/** Names of monitors that a question before an act says at once: a person reads so many before pressing. */
export const askedNamesShown = 20;
/** Names that it has at all, folded: more would be a page of megabytes that no one reads. */
export const askedNamesMax = 1_000;
/** Monitors that fail by one outage begin to fail this soon after each other: most are checked at least once in it. */
export const causeBeginsWithin: Millis = minutes(5);
/** Answers of a name server, or values of a JSON answer, that a form offers as the value of a rule: of more, a person types the one that they want. */
export const answersOffered = 8;
/** Characters of such a value: a longer one is a text or a token, which the next answer has another one of. */
export const valueCharsOffered = 60;
/** Monitors that one form makes of a list of addresses: one transaction writes all, and a person waits for it. Of more, a file says each. */
export const monitorsMadeAtOnce = 50;
/** Programs such as echo before the one of a pasted command: `echo quit | cat | telnet …` has two. Each is read anew. */
export const feedersMax = 4;
/** Incidents of one message, as lines of its row: a table of messages stays one that a person can scan. */
export const incidentsNamedOfMessage = 3;
