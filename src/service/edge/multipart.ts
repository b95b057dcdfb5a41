import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import { Busboy, type BusboyInstance } from "@fastify/busboy";
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
  const kept = partsOf(reader);
  const read = finished(reader);
  // Whoever writes to it hears of its fault below; it may come before that.
  read.catch(() => {});
  let length = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) return null;
    length += chunk.length;
    if (kept.isTooMuch || length > limits.fileFormBytesMax) return null;
    if (!reader.write(chunk)) await Promise.race([once(reader, "drain"), read]);
  }
  reader.end();
  await read;
  return kept.isTooMuch ? null : kept.parts;
}

interface KeptParts {
  readonly parts: FormPart[];
  isTooMuch: boolean;
}

/** What a reader finds. All fields together are no longer than a form without files. */
function partsOf(reader: BusboyInstance): KeptParts {
  const kept: KeptParts = { parts: [], isTooMuch: false };
  const tooMuch = (): void => void (kept.isTooMuch = true);
  reader.on("partsLimit", tooMuch).on("filesLimit", tooMuch);
  let fieldBytes = 0;
  reader.on("field", (name: string | undefined, value, _nameCut, isCut) => {
    fieldBytes += value.length;
    if (fieldBytes > pagesLimits.formBytesMax) tooMuch();
    if (name === undefined || kept.isTooMuch) return;
    kept.parts.push({ name, file: null, bytes: Buffer.from(value), isCut });
  });
  reader.on("file", (name: string | undefined, stream, file) => {
    const bytes: Buffer[] = [];
    // The reader itself ends with the fault, too; a stream that no one hears would end the process.
    stream.on("error", () => {});
    if (name === undefined) return void stream.resume();
    stream.on("data", (some: Buffer) => void bytes.push(some));
    stream.on("end", () => {
      kept.parts.push({ name, file, bytes: Buffer.concat(bytes), isCut: stream.truncated });
    });
  });
  return kept;
}
