import { html, type Html } from "#web/page/html";
import type { KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { isRevealed, revealFor } from "#service/operator/reveal";
import { subscribersPath } from "#service/operator/publishing/subscriber-removal";
import { newestSecret } from "#service/status-site/news/webhook-destination";
import type { StatusPageRow } from "#service/store/page-store";
import type { AddedSubscriber, SubscriberRow } from "#service/store/subscriber-store";

/** The list after one was added, or its reader asked: it shows the signing secret of that to whoever added it. A chat and a mail have none. */
export async function addedPath(
  rooms: PageRooms,
  reader: KnownReader,
  page: StatusPageRow,
  { id, isAsked }: AddedSubscriber,
): Promise<string> {
  const asked = new URLSearchParams({ subscriber: String(id), notice: "asked" });
  if (isAsked) return `${subscribersPath(page)}?${asked.toString()}`;
  const row = await rooms.readers.get(id);
  const secret =
    row === null || secretOf(rooms, row) === ""
      ? {}
      : { subscriber: String(row.id), shown: revealFor(rooms, reader, revealed(row)) };
  const query = new URLSearchParams({ ...secret, notice: "added" });
  return `${subscribersPath(page)}?${query.toString()}`;
}

/** The signing secret of a page's subscriber, only for whoever added it. Null if the address shows none. */
export async function secretView(
  rooms: PageRooms,
  reader: KnownReader,
  page: number,
  query: URLSearchParams,
): Promise<Html | null> {
  const shown = query.get("shown") ?? "";
  const part = query.get("subscriber") ?? "";
  if (shown === "" || !/^\d{1,15}$/.test(part)) return null;
  const row = await rooms.readers.get(Number(part));
  if (row?.page !== page || !isRevealed(rooms, reader, revealed(row), shown)) return null;
  const secret = secretOf(rooms, row);
  if (secret === "") return null;
  return html`<section class="card channel-facts signature" aria-labelledby="signing">
    <h2 id="signing">Signing secret of ${row.name || rooms.readers.nameOf(row)}</h2>
    <p class="advice">
      Each message is signed by the convention of Standard Webhooks. Copy this secret to your
      receiver before you leave: only this address shows it, for an hour and until the subscriber is
      changed, and no link leads back to it.
    </p>
    <pre class="commands" id="signing-secret" tabindex="0" aria-label="Signing secret">
${secret}</pre>
    <p>
      <button type="button" class="small copy" data-copies="signing-secret">Copy</button>
    </p>
  </section>`;
}

function secretOf({ readers }: PageRooms, row: SubscriberRow): string {
  const to = readers.webhookOf(row);
  return to === null ? "" : newestSecret(to);
}

const revealed = ({ id, updatedAt }: SubscriberRow) => ({
  what: `subscriber ${id}`,
  madeAt: updatedAt,
});
