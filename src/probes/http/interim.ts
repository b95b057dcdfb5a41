import * as limits from "#limits";

/**
 * RFC 9110 §15.2: a client bears a 100 that it did not ask for; undici breaks the connection. It is shown a 199 instead,
 * which nobody sends. True when the chunk holds interim responses and nothing else.
 */
export function disguiseContinue(chunk: Uint8Array): boolean {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  let at = 0;
  for (;;) {
    const line = bytes.subarray(at, at + statusEnd).toString("latin1");
    if (!/^HTTP\/1\.[01] 1\d\d$/.test(line)) break;
    if (line.endsWith("100")) bytes.write(String(disguise), at + statusEnd - 3);
    const end = bytes.indexOf("\r\n\r\n", at);
    if (end === -1) return false;
    at = end + 4;
  }
  return at === chunk.length;
}

const statusEnd = "HTTP/1.1 100".length;
const disguise = 199;
/** The status that the peer sent, of one that the parser was shown. */
export const shownStatus = (statusCode: number): number =>
  statusCode === disguise ? 100 : statusCode;

/** What a peer does that sends interim responses without an end. */
export const tooManyInterim = (): Error =>
  broken(`more than ${limits.interimResponsesMax} interim responses`);

/** What a peer does that leaves HTTP where nobody asked it to (RFC 9110 §15.2.2). */
export const unaskedUpgrade = (): Error =>
  broken("it changes to a protocol that was not asked for");

const broken = (message: string): Error =>
  Object.assign(new Error(message), { code: "HPE_INTERIM" });
