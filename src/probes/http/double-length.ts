/**
 * RFC 9112 §6.3: where a head says both, Transfer-Encoding overrides Content-Length, and every browser reads on;
 * undici's parser refuses it. It is shown the length under a name of its own, which is as long. Only in a head that came
 * in one piece: such heads are short.
 */
export function disguiseLength(chunk: Uint8Array): void {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  const end = bytes.indexOf("\r\n\r\n");
  if (end === -1 || !bytes.subarray(0, 5).equals(httpSlash)) return;
  const head = bytes.toString("latin1", 0, end + 2);
  if (!/\r\ntransfer-encoding:[^\r\n]*chunked[ \t]*\r\n/i.test(head)) return;
  for (const { index } of head.matchAll(/\r\ncontent-length:/gi))
    bytes.write(disguise, index + 2, "latin1");
}

const httpSlash = Buffer.from("HTTP/");
const name = "Content-Length";
const disguise = "X-Given-Length";

/** The name of a header as the peer sent it, of one that the parser was shown. */
export const shownName = (shown: string): string => (shown === disguise ? name : shown);
