import { packed, type PageDocument } from "#service/status-site/published-pages";

/**
 * Stands in documents of a page for the address by which its reader has come, if none is set. So each is written once,
 * and not for each of the names that a stranger can make up.
 */
export const standIn = "http://address-of-the-reader.invalid";

interface MovedDocument {
  readonly origin: string;
  readonly document: Promise<PageDocument>;
}

const moved = new WeakMap<object, MovedDocument>();

/** What is made for one origin; of each thing the last one is kept: readers come by few names. */
export function keptForOrigin(
  thing: object,
  origin: string,
  make: () => Promise<PageDocument>,
): Promise<PageDocument> {
  const last = moved.get(thing);
  if (last?.origin === origin) return last.document;
  const document = make();
  moved.set(thing, { origin, document });
  return document;
}

/** The document with a reader's own origin in it. */
export async function atOrigin(document: PageDocument, origin: string): Promise<PageDocument> {
  const { type, plain } = document;
  if (!plain.includes(standIn)) return document;
  return keptForOrigin(document, origin, () =>
    packed({ type, body: plain.toString().replaceAll(standIn, origin) }),
  );
}
