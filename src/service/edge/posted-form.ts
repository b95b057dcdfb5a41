import type { IncomingMessage } from "node:http";
import * as limits from "#limits/pages-limits";
import * as statusLimits from "#limits/status-limits";
import { unixLines } from "#base/text";
import { type FormPart, partsIn } from "#service/edge/multipart";

/** A file as a browser sent it. */
export interface PostedFile {
  /** As many bytes as are kept of it. */
  readonly bytes: Buffer;
  /** Whether there were more. */
  readonly isCut: boolean;
}

/** What was sent; the form is null for what is none, and for one that is too long. */
interface SentForm {
  readonly form: URLSearchParams | null;
  /** By the names of their fields. Where no file was chosen, there is none. */
  readonly files: ReadonlyMap<string, PostedFile>;
}

/** The fields of a form, and its files if it may have some. */
export async function sentIn(request: IncomingMessage, mayHaveFiles: boolean): Promise<SentForm> {
  if (!mayHaveFiles || !hasFiles(request)) return { form: await formIn(request), files: new Map() };
  const parts = await partsIn(request);
  const fields = parts?.filter(({ file }) => file === null) ?? [];
  const length = fields.reduce((sum, { name, bytes }) => sum + name.length + bytes.length, 0);
  if (parts === null || length > limits.formBytesMax) return { form: null, files: new Map() };
  return {
    form: new URLSearchParams(fields.map(({ name, bytes }) => [name, unixLines(String(bytes))])),
    files: new Map(
      parts.filter(isChosen).map(({ name, bytes, isCut }) => [name, { bytes, isCut }]),
    ),
  };
}

/** A browser sends an empty file without a name where a person chose none. */
const isChosen = ({ file }: FormPart): boolean => file !== null && file !== "";

/** Whether a body is written as one that may have files. */
const hasFiles = ({ headers }: IncomingMessage): boolean =>
  (headers["content-type"] ?? "").toLowerCase().startsWith("multipart/form-data");

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
export const isTooLong = (request: IncomingMessage): boolean =>
  Number(request.headers["content-length"] ?? 0) >
  (hasFiles(request) ? statusLimits.fileFormBytesMax : limits.formBytesMax);
