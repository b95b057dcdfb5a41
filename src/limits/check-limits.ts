import {
  type Bytes,
  kibibytes,
  mebibytes,
  type Millis,
  millis,
  type Nanos,
  nanos,
  seconds,
} from "#base/units";

/* What a monitor may say, and what is said of its checks. The service's specification sets the first ones (§2, §8). */

/* A definition */

/** These three from the specification: what a list, a log line and a label of a metric can show. */
export const nameCharsMax = 256;
export const targetCharsMax = 2048;
export const descriptionCharsMax = 1024;
/** An id names a result, a metric and a line of the log; ours have 36 characters. */
export const monitorIdCharsMax = 256;
/** From the specification, as the number of assertions. */
export const headersMax = 20;
/** A header value longer than most servers' whole head is a mistake. */
export const headerValueBytesMax: Bytes = kibibytes(16);
export const assertionsMax = 10;
/** A target string of an assertion is kept in memory for each monitor. */
export const assertionTargetCharsMax = 4096;
/** Headers, or assertions of one kind, that a service may give to one monitor: its own dashboard has no count. */
export const assignedEntriesMax = 500;
/** A status code has three digits and begins with 1 to 5 (RFC 9110 §15). */
export const statusCodeMin = 100;
export const statusCodeMax = 599;
/** A JSON path, as long as a person writes one; each step of it is a level of nesting. */
export const jsonPathCharsMax = 256;
/** More nesting is no answer of a program that people wrote, and could take a parser's whole stack. */
export const jsonDepthMax = 100;
/** JSON of this length is parsed in a few milliseconds, which every other check of the thread waits for. */
export const jsonBytesMax: Bytes = kibibytes(256);
/** A request body is configuration: it travels in every pull. */
export const requestBodyBytesMax: Bytes = mebibytes(1);
/** Browsers stop at 20, curl at 50 by default off; ten is more than any healthy site needs. */
export const redirectsMax = 10;
/** What a person may ask of one check: curl's own limit. Each redirect is a connection to somewhere else. */
export const redirectsOptionMax = 50;
/** More failures in a row than this hide an outage. */
export const policyRunMax = 10;
/** What a monitor depends on, directly and by others. */
export const dependenciesMax = 20;

/* How long, and how often again */

/** From the specification: a period must have room for the attempts. */
export const timeoutMax: Millis = millis(120_000);
export const timeoutDefault: Millis = millis(45_000);
export const retryMax = 10;
/** Most people have gone by then, and a page that takes longer is down for them. Calls and files have the contract's 45 s. */
export const proposedTimeout: Millis = seconds(10);
/** One lost packet is not an outage, and more retries make a real one later known. Calls and files have the contract's 3. */
export const proposedRetries = 1;
export const retryDefault = 3;
/** The pause before retry n is 500 ms × 1.5ⁿ, jittered by this share, so that retries of many monitors do not meet. */
export const retryPause: Millis = millis(500);
export const retryPauseGrowth = 1.5;
export const retryPauseJitter = 0.2;

/* How many in all */

/** One assignment: one core checks so many once a minute, a fifth of them over TLS (`npm run bench:load`). */
export const monitorsPerAgentMax = 100_000;
/** No one reads more mistakes than this before fixing the first. */
export const mistakesShownMax = 100;

/* What is said of a check */

/** A foreign word that a sentence of ours quotes; what is wrong with it shows at its beginning. */
export const quotedCharsMax = 64;
/** A failed assertion quotes what it saw up to here. */
export const receivedCharsMax = 256;
/** A message is a sentence, not a document. */
export const messageCharsMax = 1024;
/** An id that a peer sent, in a sentence: longer than any of ours. */
export const messageIdCharsMax = 64;
/** A degraded result carries its body to the service up to here. */
export const reportedBodyBytesMax: Bytes = kibibytes(64);
/** An error bar over both of these, the second a share of the whole, makes a figure uncertain. */
export const errorBarMax: Nanos = nanos(1e6);
export const errorBarShareMax = 0.1;
/** A check that its own agent delayed by more than this share of its timeout says nothing of its target. */
export const delayShareMax = 0.5;
/** Certificates that renew themselves do so a month before; two weeks before, something does not. */
export const certificateDaysMin = 14;
/** In its last three days a weekend is enough to miss it. */
export const certificateDaysLate = 3;

/* Labels of a location */

/** A location's own labels, as the public contract bounds them. */
export const locationLabelsMax = 20;
export const locationLabelCharsMax = 64;
export const locationValueCharsMax = 256;

/**
 * RFC 1122 §2.3.2.1, RFC 4861 §10: a router asks for a neighbour three times, a second apart, before it says that none is
 * there. Sooner it may be the answer to a packet that was sent again.
 */
export const neighbourSearchMin: Millis = seconds(2.5);

/** Days before a certificate ends at which it is reported: each is a message, and a quarter has room for these. */
export const certificateThresholdsMax = 5;
/** Four weeks are time to ask for one by hand, and one week is late. */
export const certificateDaysDefault: readonly number[] = [28, 14, 7];
/** The third part of its life: a certificate that lives for weeks is renewed then, and earlier thresholds say nothing of it. */
export const certificateLifePart = 3;
/** A month, as most agreements count. */
export const objectiveDaysDefault = 30;
/** As many days as an overview shows. */
export const objectiveDaysMax = 90;
