import {
  type Bytes,
  hours,
  kibibytes,
  mebibytes,
  type Millis,
  millis,
  minutes,
  seconds,
} from "#base/units";

/* Pages for people: the agent's own, and the service's. */

/* The agent's endpoint */

/** As many as the system hands over in one go (a backlog of 511), so that none is dropped before it is read; 6 MB. */
export const endpointConnectionsMax = 512;
/** Browsers send 1 KiB; whoever sends more than this is no reader of ours. */
export const endpointHeadBytesMax: Bytes = kibibytes(8);
/** A reader on this machine or in this network sends a request without a body within this time. */
export const endpointRequestTimeout: Millis = seconds(5);
/** How often slow readers are looked for: the times of a reader are counted in these. */
export const endpointLookEvery: Millis = seconds(1);
/** Prometheus comes in pairs; a third reader of everything at once would take the processor from checks. */
export const scrapesAtOnceMax = 2;
/** Whoever has not read the metrics, or a page, by then holds up the next: Prometheus gives a scrape 10 s by default. */
export const scrapeWithin: Millis = seconds(60);
/** How much of the monitors one answer lists, unless asked for more, and at most: 1,000 of them take 1.2 MB. */
export const monitorsShownDefault = 100;
export const monitorsShownMax = 1_000;
/** Past this many monitors a page gives each one line, so that a screen shows what fails and much of the rest. */
export const monitorsInFullMax = 50;
/** What is kept of each monitor for people: as many latencies as a glance takes in. */
export const monitorHistoryMax = 20;
/** How often they are kept for a restart. A kill loses the newest minutes of them; 1,000 monitors take 600 KB each time. */
export const historySaveEvery: Millis = minutes(5);
/** A write is this long: of the whole text, only so much is in memory. */
export const historyPieceChars = 65_536;
/** Latencies that a restart leaves in all: those of 20,000 monitors, and the newest four each of 100,000. They take 10 MB. */
export const historyPointsSavedMax = 400_000;
/** As many monitors as an agent runs, with URLs of 250 characters; a larger file is not ours. */
export const historyFileBytesMax: Bytes = mebibytes(48);
/** A sentence of the last check, and each thing seen in it, are kept up to here: 1 KiB a monitor in all. */
export const keptMessageCharsMax = 400;
export const keptFactCharsMax = 120;
/** Remarks that the agent's page lists; /status has all that are kept. */
export const remarksShownMax = 20;
/** The scheduler looks at the clock every second; after this it is stuck, not late. */
export const tickAgeMax: Millis = seconds(15);
/** A thread is replaced and warm within three seconds; after this it will not come. */
export const probesStuckMax: Millis = seconds(30);
/** A page that refreshes itself more often is not read. */
export const pageRefreshEvery: Millis = seconds(10);

/* The service's pages */

/** A picture of the service that is this old is shown again: a person does not see it, and a wall of screens asks as one. */
export const pictureFreshFor: Millis = seconds(2);
/** Up to this age it is shown while the next one is taken: as old as a page that renews itself may be anyway. */
export const pictureShownFor: Millis = seconds(12);
/** A page waits so long for a newer number of open incidents in its navigation: less than a person sees. The next one says it. */
export const openIncidentsWaitMax: Millis = millis(50);
/** While people look, the next picture is taken before the last one is too old to be shown. */
export const pictureRenewedEvery: Millis = seconds(8);
/** Whoever looked comes back. Meanwhile the pictures of 1,000 monitors take 1 % of a processor. */
export const pictureRenewedFor: Millis = minutes(15);
/** What is shown of so many monitors is kept in memory though no one looks: 16 MiB for 1,000 monitors. */
export const preparedMonitorsMax = 2_000;
/** Monitors that a large service reads at once for its lists: 10 ms of the thread that reads, and as much of the other. */
export const directoryReadAtOnce = 500;
/** Selections of one picture whose lines are kept: as many as people look at in that time. */
export const drawnSelectionsMax = 16;
/** Monitors whose rollups are read in one question with their latencies, so that other questions come between. */
export const picturedAtOnce = 250;
/** Monitors of which a status page reads the hours of a day with planned work at once: those at 60 locations are 50 MB. */
export const workedDaysAtOnce = 64;
/** Hours of a monitor that are read by their results, because planned work is all that is known else: of two windows. */
export const partialHoursRead = 4;
/** How finely such an hour is read: it has twelve stretches. */
export const partialHourStep: Millis = minutes(5);
/** Days of monitors that one question reads: 10 ms of the thread that reads. */
export const daysPicturedAtOnce = 10_000;
/** The overview's bar: a quarter. */
export const daysShown = 90;

/** Values that a folded part of a form shows on its one line. */
export const summaryPartsMax = 4;
/** A value in that line that is longer is cut. */
export const summaryValueCharsMax = 40;

/** How many days a young service shows: the least of these that has all of its data. */
export const daysShownChoices = [14, 30, 90] as const;
/** Minutes, hours or days of a silence: whoever needs more than 999 days pauses or deletes what it is about. */
export const silenceCountMax = 999;
/** What is usual is the median of a week, so that weekends are in it. */
export const usualDays = 7;
/** Days before today change only when a backlog comes. */
export const pastReadEvery: Millis = hours(1);
/** So long before that, the service reads them by itself. */
export const pastReadAhead: Millis = minutes(1);
/** The median of today is shown of a monitor without a whole day: each of its checks moves it a little. */
export const medianTodayEvery: Millis = minutes(1);
/** Sentences of failures that one picture reads, two look-ups each; of the rest the incident says code and phase. */
export const reasonsReadMax = 1_000;
/** Lines of monitors that fail for one cause: a person looks through so many, and opens the rest by themselves. */
export const causeLinesMax = 100;
/** Monitors of one document, or of a location's page: as many as one agent's location usually has, and 60 KB on the way. */
export const overviewMonitorsMax = 1_000;
/** Lines of one overview: a person looks through so many, and 1,000 would be 79,000 px on a phone. */
export const overviewLinesMax = 100;
/** Monitors, locations and channels that the end of the first steps names: more of each are on their own pages. */
export const setThingsShown = 5;
/** Days of a monitor that were not well and are in view below their bars; the others are folded. */
export const badDaysShown = 3;
/** Checks in a row that ended alike, from which on they are one row: two are as short by themselves. */
export const checksFoldedMin = 3;
/** Rows of the newest checks of a monitor that are not folded: they are as high as what it is set to, which is beside them. */
export const newestChecksShown = 6;
/** Lines of a row of them that is the only one, and open: a line is half as high as a row. */
export const openChecksShown = 8;
/** Two monitors of two servers that fail alike are a chance; three have one cause. */
export const causeMonitorsMin = 3;
/** What a person types to find a monitor. */
export const pageFilterCharsMax = 256;
/** Labels that a list offers; any other can be written into the address. */
export const labelsOfferedMax = 200;
/** Locations that a list offers to choose from: 30 KB of a page; any other can be written into the address. */
export const locationsOfferedMax = 1_000;
/** Incidents of one page, and of them on the page of a monitor. */
export const incidentsListed = 50;
export const monitorIncidentsListed = 10;
/** Earlier ones of the same monitor on the page of an incident: what was done last time is among them. */
export const earlierIncidentsShown = 3;
/** Checks that the story of an incident is made of: of three locations every 30 s, the first hour and the last. */
export const storyResultsMax = 720;
/** Changes that a story lists; whatever changes more often is flapping. */
export const storyTurnsMax = 200;
/** Channels of one page: how each stands is three questions for all of them. */
export const channelsListed = 100;
/** Status pages of one page, and reports and subscribers on the pages of one. */
export const statusPagesListed = 50;
export const reportsListed = 20;
export const subscribersListed = 50;
/** Status pages that a form offers to choose from: 20 KB of a page. */
export const statusPagesOfferedMax = 200;
/** Status pages of which an incident's page asks whether they show what it is about: a question each. */
export const statusPagesLookedAt = 50;
/** Windows of work that repeats on its page: those to come, those with another end, and those that notified. */
export const windowsShown = 3;
/** Entries of the audit log among which its page looks for who made it: all of its first minute. */
export const firstChangesRead = 20;
/** Planned work of one page. */
export const maintenancesListed = 50;
/** With so many locations a new monitor runs at all of them: with more, each check may cost more than a person thinks. */
export const placesTickedMax = 3;
/** Names that a line says before it counts the rest. */
export const namesShown = 5;
/** An agent answers within 10 s; a page that is loaded again later does not say "just now". */
export const justCheckedFor: Millis = minutes(1);
/** Deliveries that a page lists. */
export const deliveriesListed = 50;
/** Messages of an incident that are not folded: what a person does next is below them. */
export const incidentMessagesShown = 4;
/** Others of the same cause that are not folded on the page of an incident: its timeline is below them. */
export const alikeIncidentsShown = 5;
/** A latency is unusual when it is twice the usual one, and by at least this: less is not felt. */
export const unusualMin: Millis = millis(20);
/** Results that a chart of an hour shows singly; of more it shows its steps, as a chart of a longer time does. */
export const chartPointsMax = 1_000;
/** Steps of a chart of one's own range: a desk's screen has some ten points for each, a phone's three. */
export const chartStepsMax = 120;
/** What a chart marks of a time: incidents, planned work and gaps; more of each would hide the curve. */
export const chartMarksMax = 50;
/** Before and after an incident a chart shows as much again, and at least this: the checks that were good. */
export const chartMarginMin: Millis = minutes(15);
/** The newest results of an incident, among which its last failing check is looked for. */
export const incidentResultsLookedAt = 100;
/** Results that a page lists. */
export const resultsListedMax = 20;
/** What is shorter gains nothing from being compressed. */
export const compressedFrom: Bytes = kibibytes(1);
/** What is longer is compressed in another thread: a page of this length takes 0.5 ms of the main one. */
export const compressedHereMax: Bytes = kibibytes(192);
/** The looks of the pages change with the program; a reader asks again after this. */
export const assetFreshFor: Millis = minutes(10);
/** The address of a script says which text it has, so a browser need not ask again: a year is the longest it may keep one. */
export const scriptKeptFor: Millis = hours(24 * 365);

/* Signing in */

/** A person signs in once a working week; a key that is revoked ends its sessions at once. */
export const sessionLength: Millis = hours(7 * 24);
/** Whoever mistypes does not do it more often. */
export const signInTriesPerAddressMax = 5;
/** A password can be guessed, and each try costs its hash a quarter of a second: all addresses together have 86,400 tries a day. */
export const signInTriesMax = 60;
/** No one guesses one of 2²⁵⁶ keys, and a try is one look into a table: only whoever has 1,200 addresses uses these up. */
export const keyTriesMax = 6_000;
export const signInWindow: Millis = minutes(1);
/** The identity provider cannot say that a person has left: they are out after a long working day. */
export const personSessionLength: Millis = hours(12);
/** By the identity provider a sign-in has two steps, there and back, each of which asks the provider. */
export const providerStepsPerAddressMax = 10;
/** Ten a second are no work for an identity provider; whoever has 60 addresses uses them up. */
export const providerStepsMax = 600;
/** A person looks for a second factor, or has a password reset, within this time. */
export const signInWithin: Millis = minutes(10);
/** A browser drops a cookie of more than 4 KiB; this path is in one, sealed, in addition to 200 characters. */
export const signInNextCharsMax = 1_024;
/** An e-mail address has at most 254 characters; a longer name would not fit into the cookie of a session. */
export const personNameCharsMax = 254;
/** The longest error code of OAuth's registry has 33. */
export const providerErrorCharsMax = 64;
/** A host's name has 253 characters at most. */
export const publicAddressCharsMax = 300;
/** What an owner says at one replica counts at the others after this. */
export const publicAddressReadEvery: Millis = seconds(30);
/** People and groups that the rules name: each request of a page looks through them. */
export const peopleRulesMax = 200;
/** Accounts without a password, the newest first, of which a profile asks who created them: one's own is among the newest. */
export const waitingAccountsLookedAt = 5;
/** A team that is larger has an identity provider; this stops a script, not a person. */
export const accountsMax = 500;
/** A link to choose a password is opened after a weekend at the latest. */
export const passwordLinkFor: Millis = hours(72);
/** Whoever has the password has 7,200 tries a day with a code of six digits, of which three are right at a time: 2 %. */
export const codeTriesPerMinuteMax = 5;
/** RFC 6238 §5.2: codes of the step before and after count, for a telephone whose clock is not quite right. */
export const codeStepsAside = 1;
export const codeStep: Millis = seconds(30);
/** A telephone is lost once; the rest are for the days until another is set up. */
export const recoveryCodesMade = 10;
/** 80 random bits: no one finds a code by its hash, so that is not a slow one. */
export const recoveryCodeBytes = 10;
/** A person has a telephone, a computer or two, and keys in a drawer. */
export const passkeysMax = 20;
/** What a browser answers is 1 KiB; an id of an authenticator is 1 KiB at most. */
export const passkeyAnswerCharsMax = 16_384;
/** Why a passkey was refused says what the browser sent. */
export const refusalLoggedCharsMax = 300;
/** How long a second factor may take to be set up, and to be shown at a sign-in. */
export const factorWithin: Millis = minutes(10);
/** When a session was last used is written down so often: a write for each page would be a load. */
export const sessionUseNotedEvery: Millis = minutes(5);
/** Sessions whose last use one replica remembers: as many as people of a large team have. */
export const sessionsRememberedMax = 5_000;
/** Sessions that a page lists. */
export const sessionsListed = 200;
/** A form that came after its session ended waits so long for its sender to sign in: a second factor may be in another room. */
export const keptFormFor: Millis = minutes(30);
/** Tabs in which one person typed when the session ended. */
export const keptFormsOfOneMax = 5;
/** All of them together take 100 MB at most, sealed. */
export const keptFormsMax = 500;
/** An API key may end so far from now; for longer, it has no end. */
export const keyDaysMax = 3_650;
/** A password is typed; as long as a sentence, and no work for the hash beyond. */
export const passwordCharsMin = 12;
export const passwordCharsMax = 256;
/** The longest form is a report's update of 8,192 characters, each of which may take nine bytes, with what it showed before. */
export const formBytesMax: Bytes = kibibytes(128);
/** Rows of one list of a form: more than any list of a monitor may have, so that a refusal can say so. */
export const formRowsMax = 64;
/** From so many boxes on a person looks for one by its name instead of reading all of them: three rows on a desk. */
export const boxesNarrowedFrom = 10;
/** A field with more boxes is searched by the service: all of them would be the largest part of the page. */
export const boxesListedMax = 200;
/** Boxes that such a search lists. */
export const boxesFoundMax = 50;
/** How long the page of a new token or secret shows it: a person starts an agent meanwhile, on a machine that is to be found first. */
export const secretShownFor: Millis = hours(1);
/** Monitors whose channels the first steps look at: whoever has more has been here before. */
export const firstMonitorsMax = 50;
/** How often a page looks that waits for something which takes seconds, e.g. for an agent to start. */
export const waitingLookEvery: Millis = seconds(2);
/** The beginning of an id by which agents of one machine differ: it has four thousand million values. */
export const agentIdCharsShown = 8;
/** Locations on one page of their list: the agents of each are read apart. */
export const locationsListed = 50;

/* What a day is called */

/** A day counts as down from here on: what a person would call an outage, and 0.1 % of what is known of a short day. */
export const dayDownMin: Millis = minutes(1);
export const dayDownShareMin = 0.001;
/** One slow check in a hundred is a target's ordinary life; more of them are a slow day. */
export const daySlowShareMin = 0.01;

/* Changes that others made, and what is put back */

/** Changes by others that a person is shown before they save over them. */
export const overtakingShown = 20;
/** What one form puts back: as many as a person selects on a page. */
export const undoneAtOnce = 1_000;
/** Values that monitors go back to in one undo: each is a separate write, and a person waits for all of them. */
export const undoStepsMax = 50;

/** The words of a form name as many rules of an answer: they are read at a glance. */
export const summarySentencesMax = 3;
