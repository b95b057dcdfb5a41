import { type Bytes, kibibytes } from "#base/units";

/*
 * What is kept of what a server answered to a check that failed or was slow. With all of it a result has at most 12 KiB
 * of the answer, where an agent may send 64 KiB of a body and as much of headers. Most have one, and the same one again and again: packed, 960 of them in eight
 * hours take some 40 KiB. They are a part of the results' details and are forgotten with them, after three days.
 */

/** An answer of an application behind a proxy has some fifteen; what names the failure is among the first. */
export const answerHeadersMax = 20;
/** Programs ask for one answer at a time: no server sends more. */
export const openHeadersMax = 100;
/** A date, a server, a request's id and most addresses are shorter. */
export const answerHeaderValueCharsMax = 200;
/** Longer than any name in use. */
export const answerHeaderNameCharsMax = 64;
/** An error in JSON, the head of a stack trace or the title of a page: what a person reads at night before they open the log. */
export const answerBodyBytesMax: Bytes = kibibytes(2);
/** So much is searched for secrets before it is cut, so that the cut goes through none of usual length. */
export const answerCharsSearched = 4_096;
/** The same at an agent, in bytes: a body of megabytes would hold the thread that measures. */
export const answerBytesSearched: Bytes = kibibytes(8);
/** Results whose answers are cut in one go: to search one for secrets takes 0.05 ms to 1 ms; calls are answered in between. */
export const answersCutAtOnce = 10;
/**
 * Characters of secrets that are compared with places of one text, some 10 ms: many times more than a real answer needs.
 * A header of `é` and a body of question marks would take a minute else, and calls wait meanwhile.
 */
export const answerSearchSteps = 10_000;

/** The parts of one monitor's credentials that are looked for: those of a dozen headers, a URL and a body. */
export const ownSecretsMax = 64;
/** A body of a megabyte takes a quarter of a second to search; what is named like a credential is at its beginning. */
export const ownBodyCharsSearched = 16_384;
/** Larger request bodies are searched for fields that are named like credentials, and are not looked for as a whole. */
export const ownSecretCharsMax = 4_096;
