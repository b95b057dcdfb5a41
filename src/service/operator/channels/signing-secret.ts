import { html, type Html } from "#web/page/html";
import { seeOther } from "#service/edge/page-answer";
import { buttonForm } from "#service/operator/form-fields";
import type { KnownReader, OperatorForm } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { isRevealed, revealFor } from "#service/operator/reveal";
import { refuseManaged } from "#service/operator/managed-note";
import type { ChannelRow } from "#service/store/channel-store";

/** The page of a webhook that shows its newest signing secret to this reader. `next` is where the person continues. */
export function signingPath(
  rooms: PageRooms,
  reader: KnownReader,
  row: ChannelRow,
  next = "",
): string {
  const shown = revealFor(rooms, reader, secretOf(row));
  const query = new URLSearchParams(next === "" ? { shown } : { shown, next });
  return `/channels/${row.id}?${query.toString()}`;
}

/** A second secret signs from now on, and the one before it until the next rotation. */
export const rotateSecretForm: OperatorForm = {
  role: "editor",
  path: /^\/channels\/(?<id>\d{1,15})\/secret$/,
  act: async ({ rooms }, { id, reader }) => {
    refuseManaged(await rooms.channels.get(id));
    const nothing = { name: null, configured: null, monitorIds: null, rules: null };
    const row = await rooms.channels.update(id, { ...nothing, rotate: true, isOlder: false });
    return seeOther(signingPath(rooms, reader, row));
  },
};

/** How a receiver knows that an event is the service's; the secret itself only for its maker. Nothing for other providers. */
export function signingView(
  rooms: PageRooms,
  reader: KnownReader,
  row: ChannelRow,
  shown: string,
): Html | null {
  const channel = rooms.channels.opened(row);
  if (channel?.provider !== "webhook") return null;
  const [newest = ""] = channel.configuration.signingSecrets;
  return html`<section class="card channel-facts signature" aria-labelledby="signing">
    <h2 id="signing">Signature</h2>
    ${
      isRevealed(rooms, reader, secretOf(row), shown)
        ? html`<p class="advice">
              Copy this secret to your receiver before you leave: only this address shows it, for an
              hour and until the channel is changed, and no link leads back to it.
            </p>
            <pre class="commands" id="signing-secret" tabindex="0" aria-label="Signing secret">
${newest}</pre>
            <p>
              <button type="button" class="small copy" data-copies="signing-secret">Copy</button>
            </p>`
        : html`<p class="words">
            Each event is signed by the convention of Standard Webhooks. The secret is not shown
            again: make a new one if your receiver has none. The old one signs, too, until the next
            new one.
          </p>`
    }
    ${row.owner === "" ? buttonForm(`/channels/${row.id}/secret`, reader, "Create a new signing secret", row.name) : null}
  </section>`;
}

const secretOf = ({ id, updatedAt }: ChannelRow) => ({ what: `channel ${id}`, madeAt: updatedAt });
