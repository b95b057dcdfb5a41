import { type Bytes, hours, kibibytes, mebibytes, type Millis, seconds } from "#base/units";

/* What agent and service send each other, with the limits of both sides. */

/* A call, as an agent makes it */

/** One call to the service. The existing server reads for 10 s, so a longer wait cannot succeed. */
export const serviceCallTimeout: Millis = seconds(15);
/** Planning and applying a whole configuration: ten thousand monitors take seconds, and a busy disk some more. */
export const configurationCallTimeout: Millis = seconds(60);
/** A connection to the service, through its proxy: less than a call, so that the message names what stood in the way. */
export const serviceDialTimeout: Millis = seconds(10);
/** Many servers close what is idle after 5 s: a call on a connection that is being closed would fail. */
export const serviceIdleMax: Millis = seconds(4);
/** Calls with results at the same time: their way there and back overlaps, and a service has others to answer. */
export const reportConcurrency = 4;
/** Results of one call, which a service stores in one transaction: more of them would hold up the others' calls. */
export const ingestBatchMax = 500;
/** Plain calls that fail with 500 in a row, one each of other monitors, before the service is left alone for a while. */
export const ingestFailuresInRowMax = 8;
/** A service that had a call and says so often in a row that it has none was replaced by an older one. */
export const extensionDenialsMax = 3;
/** An older server is asked again for the extension after this. */
export const extensionAskAgainAfter: Millis = hours(1);

/* A call, as a service takes it */

/** A batch of 500 results with full bodies of 64 KiB. */
export const serviceRequestBytesMax: Bytes = mebibytes(40);
/** The contract has six levels. */
export const messageDepthMax = 32;
/** In JSON, this many digits in a row take as long to read as an element: a number of 64 bits has 20. */
export const messageDigitsAnElement = 32;
/** Fields that a request has and the contract does not, as one answer names them. */
export const ignoredFieldsShownMax = 20;
export const ignoredFieldCharsMax = 64;
/** What an agent says of its machine: a label an entry, as a node of a cluster has dozens. */
export const metadataLabelsMax = 64;

/* Its answer */

/** A shorter answer fits in one packet as it is. */
export const answerPackedFrom: Bytes = kibibytes(1);
/** A pull of 20,000 monitors with bodies fits; more is not an assignment. */
export const serviceAnswerBytesMax: Bytes = mebibytes(64);
/**
 * Thirty a monitor for as many as one agent runs; an http monitor with a header and an assertion has 17. Decoding takes 0.4 s
 * for three million of the smallest, and 250 MB of the heap.
 */
export const assignmentElementsMax = 3_000_000;
/** A text of a monitor that is kept: the longest that a rule allows, a header's value, is a quarter of this. */
export const assignedTextCharsMax = 65_536;
/** A request body: the largest one, in base64 of a data URL. */
export const assignedBodyCharsMax = 2_097_152;
/** Every other answer: 500 receipts with their reasons. */
export const serviceWordBytesMax: Bytes = mebibytes(2);
export const serviceWordElementsMax = 10_000;
/** A failed call is answered with a sentence; what is longer is known by its status. */
export const serviceErrorBytesMax: Bytes = kibibytes(64);
/** Remarks on an assignment that are kept to be shown: past these, a person fixes the cause, not each one. */
export const remarksKeptMax = 1_000;
/** Names of response headers whose spelling is remembered: a peer that invents names is not. */
export const headerNamesKeptMax = 1_000;

/* The push channel */

/** The push channel's pings: under the idle limits of proxies and address translators, which begin at half a minute. */
export const watchPingEvery: Millis = seconds(20);
/** A peer that lets a ping stand for this long is gone, whatever TCP still believes. */
export const watchPongWithin: Millis = seconds(10);
/** How long a connection that is closed may take to say goodbye. */
export const watchGoodbyeWithin: Millis = seconds(1);
/** What a service may push in one span: a change a second and every check now, many times over. */
export const watchMessagesMax = 1_000;
export const watchMessagesSpan: Millis = seconds(10);
/** A message of the service: ids and revisions. */
export const watchRevisionBytesMax: Bytes = kibibytes(64);
/** A monitor that is tried before it is saved, as JSON: an agent takes no larger message, and the rest of it is small. */
export const trialBytesMax: Bytes = kibibytes(60);
/** Messages of the service that may wait for a slow agent: thousands. Past this the connection is dropped. */
export const watchRevisionsUnreadBytesMax: Bytes = kibibytes(256);
/** One result with a body of 64 KiB and a head of 300 KiB, each character escaped. */
export const watchAnswerBytesMax: Bytes = mebibytes(4);
/** Answers that may wait for a slow service: two of the largest size. Past this the connection is dropped. */
export const watchAnswersUnreadBytesMax: Bytes = mebibytes(8);
/** Remarks of an agent about its assignment, in each heartbeat: the first say what is wrong, and /status has them all. */
export const beatRemarksMax = 5;
/** A name of a monitor and a sentence. */
export const beatRemarkCharsMax = 512;
/** Hashes of the audit log in one answer, 43 characters each: an agent that was away for long catches up in some heartbeats. */
export const auditHashesMax = 1_000;
/** The rules for targets in each heartbeat: 16 KiB every 30 s, and a service says which part of longer lists it has not seen. */
export const beatTargetsCharsMax = 16_384;
