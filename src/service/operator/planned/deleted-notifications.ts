import { html, type Html } from "#web/page/html";
import type { PageRooms } from "#service/operator/page-rooms";
import { recipientLines } from "#service/operator/publishing/recipient-lines";
import type { Subject } from "#service/store/audit/audited";

/** What subscribers were sent of planned work that is deleted; null of other objects, and if that was nothing. */
export async function deletedNotifications(
  { store, clock }: PageRooms,
  { kind, id }: Subject,
): Promise<Html | null> {
  if (kind !== "maintenance") return null;
  const about = [Number(id)];
  const { letters } = store.readers;
  const [sent, cancelled] = await Promise.all([
    letters.tallies({ kind, about }),
    letters.tallies({ kind: "cancellation", about }),
  ]);
  const lines = recipientLines([...cancelled, ...sent], null, clock.wall());
  return lines === null
    ? null
    : html`<section aria-labelledby="messages">
        <h2 id="messages">Who was notified</h2>
        ${lines}
      </section>`;
}
