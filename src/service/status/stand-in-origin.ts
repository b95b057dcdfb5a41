import { packed, type PageDocument } from "#service/status/published-pages";

/**
 * Stands in documents of a page for the address by which its reader has come, where none is set. So each is written once,
 * and not for each of the names that a stranger can make up.
 */
export const standIn = "http://address-of-the-reader.invalid";

interface MovedDocument {
  readonly origin: string;
  readonly document: Promise<PageDocument>;
}

/** The last one of each document: readers come by few names. */
const moved = new WeakMap<PageDocument, MovedDocument>();

/** The document with a reader's own origin in it. */
export async function atOrigin(document: PageDocument, origin: string): Promise<PageDocument> {
  const last = moved.get(document);
  if (last?.origin === origin) return last.document;
  if (!document.plain.includes(standIn)) return document;
  const body = document.plain.toString().replaceAll(standIn, origin);
  const made = packed({ type: document.type, body });
  moved.set(document, { origin, document: made });
  return made;
}
