import { type Bytes, hours, kibibytes, type Millis, minutes, seconds } from "#base/units";

/* Who is notified of what, and how a message gets there. */

/* An incident, and the messages about it */

/** What opens again this soon after its end is the same incident: a person has not put the phone away. */
export const incidentReopenedWithin: Millis = minutes(10);
/**
 * An incident whose monitor is paused stays open this long, so that an Undo changes nothing and sends nothing: time to read
 * the notice that offers it, and too short for a pager's owner to look at what is paused.
 */
export const incidentKeptUnwatched: Millis = seconds(30);
/** Stretches of an incident in which it was well: a day of opening again every quarter of an hour; 6 KB of a row. */
export const wellSpansMax = 100;
/** The third time within an hour, another message says nothing new. */
export const flappingOpenings = 3;
export const flappingSpan: Millis = hours(1);
/** Of passes too few for its end it takes one more: a single check that passes says less than an end. */
export const flappingPasses = 4;
export const flappingQuietFor: Millis = minutes(30);
/** What flaps and then stays down this long is an outage: as long as the shortest time between two reminders. */
export const flappingDownFor: Millis = minutes(5);
/** A slow check makes its second failure known this soon. */
export const flappingLookEvery: Millis = seconds(30);
/** The first message waits this long: what fails for the same reason is seen by then. */
export const alertWait: Millis = seconds(5);
/** A monitor's period is mostly 30 s: by then every monitor of a location has met the same fault. */
export const groupWait: Millis = seconds(30);
/** So many that fail in the same way are no coincidence, and more than a message names: it is sent without waiting. */
export const groupSentAtOnce = 20;
/** A cause needs as many hosts, and half of the location's monitors: those of one host fail together. */
export const groupHostsMin = 3;
/** What fails in the same way within this time joins the group, or within two periods: a slow check meets a fault late. */
export const groupJoinedWithin: Millis = minutes(5);
export const groupJoinedPeriods = 2;
/** Two of the longest periods. */
export const lettersRememberedFor: Millis = hours(2);
/** More messages than this in so long are one. */
export const messagesApartMax = 3;
export const digestSpan: Millis = seconds(30);
/** A list longer than this is not read on a phone. */
export const digestNamesMax = 20;
/** A title with more names, or longer ones, is cut in a list of mails. */
export const titleNamesMax = 3;
export const titleNameCharsMax = 40;
/** The reason of one line of such a list: twenty of them are one message of the strictest chat. */
export const digestReasonCharsMax = 100;
/** The same in a shorter list: the sentence of a check, and how often it changed. */
export const digestLongReasonCharsMax = 250;
/** What was down while its agent or the service was away is known this soon after it is back. */
export const replayWait: Millis = seconds(30);
/** A result that is stored so long after its check was kept by its agent; others arrive within two seconds. */
export const keptResultAfter: Millis = seconds(5);
/** Past this a reader asks why it comes now: the message says it. */
export const lateAfter: Millis = minutes(1);
/** A quarter of that: so much earlier than it stopped, the service may be said to have stopped. */
export const aliveNotedEvery: Millis = seconds(15);
/** A reminder more often than this is noise. */
export const reminderMin: Millis = minutes(5);
/** No person waits longer than this for a reminder or a delayed alert. */
export const alertDelayMax: Millis = hours(24 * 7);

/* Maintenance, silences and quiet hours */

/** A rule with every day of a month and every numbered weekday has 600; a longer text is no rule, and takes long to read. */
export const recurrenceCharsMax = 1_000;
/** A maintenance that repeats less often than every two years is planned again. */
export const recurrenceIntervalMax = 730;
/** A nightly window for more than two years. */
export const recurrenceCountMax = 1_000;
/** Months, weeks or days in a row without a day that fits: the 29th of February comes within 96 months. */
export const recurrenceEmptyMax = 100;
/** Every evening of a week, twice. */
export const quietHoursMax = 14;
/** What one silence or maintenance names; labels and locations cover more. */
export const silencedMax = 1_000;
export const maintenanceMessageCharsMax = 4_096;
/** Incidents that one transaction acknowledges, of all with one cause: some ten milliseconds. */
export const acknowledgedAtOnce = 500;
/** Incidents that one press acknowledges: 20 of those transactions, and 80 KB of a form if no two numbers follow each other. */
export const acknowledgedTogetherMax = 10_000;
/** The numbers of incidents in a link of a message: sixty that do not follow each other; some mail programs cut longer links. */
export const linkedRangesCharsMax = 400;
/** Windows that last at one instant and are announced: more is no planned work. */
export const maintenanceAnnouncedMax = 1_000;
/** A maintenance that ended this long ago may be why something is down still. */
export const maintenanceRemembered: Millis = hours(24);

/* Deliveries, and those who make them */

/** Five attempts in a row take eight minutes: then a person should know that a channel takes nothing. */
export const channelFailingAfter = 5;
/** An address that a server refused three times in a row is wrong, and trying on harms the sender's name. */
export const recipientRefusalsMax = 3;
/** What was not taken within a day is no news. */
export const deliveryTriedFor: Millis = hours(24);
/** What waits is looked at again within the hour, whatever it waits for; further ahead is a clock that was wrong. */
export const deliveryLookEvery: Millis = hours(1);
export const deliveryLookMax: Millis = hours(2);
/** How often the courier looks when nothing rings: what waits for a time is at most this late. */
export const courierLookEvery: Millis = seconds(1);
/** Channels that one replica sends to at the same time. */
export const channelTurnsMax = 32;
/** A message takes 15 s at most, a mail 45 s; a replica that was stopped in the middle is replaced after this. */
export const channelClaim: Millis = seconds(60);
/** Messages of one channel that are under way side by side: one that hangs for 15 s delays no other incident. */
export const lettersAtOnce = 4;
/** A message to a provider takes as long: whoever stops lets those that are under way end, so that none is sent again. */
export const deliveryDrain: Millis = seconds(15);
/** Messages of the last minutes, which later ones may join. */
export const recentLettersMax = 20;
/** Reminders are minutes apart. */
export const remindersLookEvery: Millis = seconds(20);
/** Open incidents and channels that one look at reminders sees. */
export const remindedAtOnce = 1_000;
/** What is broken at a location itself is said once more when it lasts: whoever looks at monitors sees no error. */
export const vantageRemindedAfter: Millis = minutes(10);
/** Faults of locations' own places, or troubles of their agents, that are open at one time: a thousand locations have fewer. */
export const placeIncidentsMax = 1_000;
/** Three heartbeats: an agent's clock, or a check that began too late, may be wrong for a moment. */
export const agentTroubleLasts: Millis = seconds(60);
/** Ten heartbeats that show nothing of a trouble: then it is over. */
export const agentTroubleOverAfter: Millis = minutes(5);
/** Fewer slots than this, or than this share, are missed on any busy machine. */
export const missedSlotsTroubleMin = 3;
export const missedSlotsTroubleShare = 0.01;
/** What was sent to whom is looked up for weeks after an outage. */
export const deliveriesKeptFor: Millis = hours(30 * 24);

/** The text of a message as it is kept with its delivery: a digest of twenty lines is shorter. */
export const keptMessageTextCharsMax = 4_000;
/** What a person writes about an incident at one time: a page of a runbook. */
export const incidentCommentCharsMax = 4_000;

/* Channels */

/** Channels of a team; past them a script runs away. */
export const serviceChannelsMax = 1_000;
/** As many labels as metadata may have. */
export const channelLabelsMax = 20;
/** What has taken a test needs no other soon. What is corrected or has failed is tested again at once. */
export const testNotificationEvery: Millis = seconds(10);
/** A test has our address send to whatever its caller names: a person corrects a form less often than once in six seconds. */
export const testNotificationsMax = 10;
export const testNotificationsSpan: Millis = minutes(1);
/** Tests of channels that are not made yet, one a person: a digest and a sentence each. */
export const draftTestsMax = 1_000;
/** What a provider says later of a test is waited for, up to here. */
export const testReceiptWithin: Millis = seconds(15);

/* A message at a provider */

/** One message to a provider, all its requests: whoever takes longer is tried again later. */
export const notifyTimeout: Millis = seconds(15);
/** What a provider's answer may say; its own words are in the first hundred bytes. */
export const notifyAnswerBytesMax: Bytes = kibibytes(64);
/** Characters of an answer that a person reads: an error in JSON, or the title of a page. */
export const answerShownChars = 300;
/** A provider's own figure for a wait is kept, up to here: a message of last night is of no use at noon. */
export const notifyWaitMax: Millis = hours(1);
/** A name, a label or another value within a notification: longer ones are cut, so that the rest has room. */
export const notifiedValueCharsMax = 256;
/** The sentence of a failure within a notification; what is wrong shows at its beginning. */
export const notifiedReasonCharsMax = 1000;
/** A text within a webhook's body. The longest of a monitor's own is its target; what a check says may be longer. */
export const webhookTextCharsMax = 2048;
/** A mail as a whole: a connection, and the command that takes longest. */
export const mailTimeout: Millis = seconds(45);
export const mailConnectTimeout: Millis = seconds(10);
export const mailCommandTimeout: Millis = seconds(30);
/** What an owner says of the mail server at one replica counts at the others after this. The pages read it at once. */
export const mailServerReadEvery: Millis = seconds(30);
/** A user is often an e-mail address, which has at most 254 characters. */
export const mailUserCharsMax = 320;
/** API keys that providers take as a password have up to some hundred characters. */
export const mailPasswordCharsMax = 1_024;
/** The name before a sender's address: one line of a mail (RFC 5322, 2.1.1) has it and the address. */
export const mailSenderCharsMax = 320;
/** Many mail servers take a few connections of one client. */
export const mailConnectionsMax = 2;
/** Incidents of one cause that are read for its row in the list, which says who acknowledged them. */
export const groupIncidentsRead = 20;
/** Updates of a report that an incident's timeline has, the newest: the page of the report has all. */
export const storyUpdatesShown = 20;
