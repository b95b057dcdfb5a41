import type { IncomingMessage, ServerResponse } from "node:http";
import type { PageAnswer } from "#service/edge/page-answer";
import { lostPage } from "#service/operator/fault-page";
import { framed, type KnownReader } from "#service/operator/page-request";
import type { Reader } from "#service/operator/reader";
import type { PageRooms } from "#service/operator/page-rooms";
import type { StatusPageRow } from "#service/store/page-store";
import type { EpochMillis } from "#base/units";
import { html } from "#web/page/html";

/** Answers a person at whose address there is nothing, or a draft; false if this request gets no page. */
export type LostAnswer = (
  request: IncomingMessage,
  response: ServerResponse,
  draft?: number,
) => Promise<boolean>;

/** What a person sees at an address without a page for them; null of a draft of which they may not know. */
export async function insteadOfNothing(
  rooms: Pick<PageRooms, "store" | "clock">,
  reader: Reader,
  draft: number | undefined,
): Promise<PageAnswer | null> {
  if (draft === undefined) return lostPage(reader, rooms.clock.wall());
  if (reader.kind === "stranger") return null;
  const row = await rooms.store.pages.pages.get(draft);
  return row === null ? null : draftPage(row, reader, rooms.clock.wall());
}

function draftPage(
  { id, definition }: StatusPageRow,
  reader: KnownReader,
  at: EpochMillis,
): PageAnswer {
  const title = `${definition.title} is a draft`;
  const content = html`<h1 class="page">${title}</h1>
    <p class="lede-line">
      You see this because you are signed in. Anyone else sees “Not found” at this address until the
      page is published.
    </p>
    <p class="acts">
      <a class="button" href="/status-pages/${id}">Open its settings</a>
      <a class="button" href="/status-pages/${id}/preview">Preview</a>
    </p>`;
  const frame = { title: `${title} · Picket`, section: "status pages" as const };
  return framed({ reader }, { ...frame, document: null, at, content }, 404);
}
