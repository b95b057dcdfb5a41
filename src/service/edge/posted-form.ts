import type { IncomingMessage } from "node:http";
import * as limits from "#limits/pages-limits";
import { unixLines } from "#base/text";

/** The fields of a form as a person typed them: a browser posts CRLF for each end of a line. Null for anything else, and for one that is too long. */
export async function formIn(request: IncomingMessage): Promise<URLSearchParams | null> {
  const type = request.headers["content-type"] ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded")) return null;
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request) {
    if (!Buffer.isBuffer(part)) return null;
    length += part.length;
    if (length > limits.formBytesMax) return null;
    parts.push(part);
  }
  const posted = new URLSearchParams(Buffer.concat(parts).toString());
  return new URLSearchParams([...posted].map(([name, value]) => [name, unixLines(value)]));
}

/** Whether a browser says that it sends more than a form may have. */
export const isTooLong = ({ headers }: IncomingMessage): boolean =>
  Number(headers["content-length"] ?? 0) > limits.formBytesMax;
