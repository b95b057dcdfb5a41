import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import * as pagesLimits from "#limits/pages-limits";
import * as limits from "#limits/status-limits";

/** A part of a form with files (RFC 7578). */
export interface FormPart {
  readonly name: string;
  /** What the file was called; null: it is a field. */
  readonly file: string | null;
  /** As many bytes as are kept of it. */
  readonly bytes: Buffer;
  /** Whether there were more. */
  readonly isCut: boolean;
}

/**
 * The parts of a body, read as it comes: of each part so many bytes are kept as the limits allow, however many come.
 * Null for what is no such form, and for one that is longer, or in more parts, than a person's form can be.
 */
export async function partsIn(request: IncomingMessage): Promise<readonly FormPart[] | null> {
  try {
    return await readParts(request);
  } catch {
    // The reader throws for a type without a boundary, and for a body that ends within a part.
    return null;
  }
}

async function readParts(request: IncomingMessage): Promise<readonly FormPart[] | null> {
  const reader = new Busboy({
    headers: { ...request.headers, "content-type": request.headers["content-type"] ?? "" },
    limits: {
      fieldSize: pagesLimits.formBytesMax,
      fileSize: limits.pageIconBytesMax,
      files: limits.formFilesMax,
      parts: limits.formPartsMax,
      headerSize: limits.partHeadBytesMax,
    },
  });
  const parts: FormPart[] = [];
  let isTooMuch = false;
  const tooMuch = (): void => void (isTooMuch = true);
  reader.on("partsLimit", tooMuch).on("filesLimit", tooMuch);
  reader.on("field", (name, value, _nameCut, isCut) => {
    parts.push({ name, file: null, bytes: Buffer.from(value), isCut });
  });
  reader.on("file", (name, stream, file) => {
    const kept: Buffer[] = [];
    stream.on("data", (bytes: Buffer) => void kept.push(bytes));
    stream.on("end", () => {
      parts.push({ name, file, bytes: Buffer.concat(kept), isCut: stream.truncated });
    });
  });
  const read = finished(reader);
  // Whoever writes to it hears of its fault below; it may come before that.
  read.catch(() => {});
  let length = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) return null;
    length += chunk.length;
    if (isTooMuch || length > limits.fileFormBytesMax) return null;
    if (!reader.write(chunk)) await Promise.race([once(reader, "drain"), read]);
  }
  reader.end();
  await read;
  return isTooMuch ? null : parts;
}
