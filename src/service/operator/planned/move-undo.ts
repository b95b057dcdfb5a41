import type { Html } from "#web/page/html";
import type { KnownReader, PageContext } from "#service/operator/page-request";
import { beginUndo } from "#service/operator/planned/begin-moves";
import { endUndo } from "#service/operator/planned/end-moves";

/** What takes back a move of a beginning or an end that was made just now; null if none was. */
export const moveUndo = async (
  context: PageContext,
  query: URLSearchParams,
  reader: KnownReader,
  back: string,
): Promise<Html | null> =>
  (await endUndo(context, query, reader, back)) ?? beginUndo(context, query, reader, back);
