import { html, type Html } from "#web/page/html";
import { capital } from "#base/text";
import type { Provider } from "#service/notify/channel";
import { rulesOf } from "#service/notify/provider-table";
import type { KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { mailServerStep } from "#service/operator/settings/mail-link";
import type { ChannelRow } from "#service/store/channel-store";

/** What the service lacks for a provider by now: an owner may have set a mail server at another replica. */
export async function lackingNow(
  { channels, mailServer }: Pick<PageRooms, "channels" | "mailServer">,
  provider: Provider,
): Promise<string | null> {
  await mailServer.read();
  return channels.lacking(provider);
}

interface LackingForm {
  readonly provider: Provider;
  /** Null if the service lacks nothing. */
  readonly lacking: string | null;
  readonly row: Pick<ChannelRow, "id"> | null;
  readonly next: string;
  readonly typed: URLSearchParams;
  readonly reader: KnownReader;
}

/** Why the form of a channel is locked, and what to do: a mail server is set on a page, anything else as the service starts. */
export const lackingNote = ({ provider, lacking, ...form }: LackingForm): Html | null =>
  lacking === null
    ? null
    : html`<div class="trouble degraded" role="status">
        <p class="why">${rulesOf(provider).label} cannot be used yet.</p>
        <p>
          ${
            provider === "email"
              ? html`${mailServerStep(form.reader, addressOf(form))} first.`
              : `${capital(lacking)}, and restart it.`
          }
        </p>
      </div>`;

/** The address that shows the same form again, also with an address that was pasted. */
function addressOf({ row, next, typed }: Pick<LackingForm, "row" | "next" | "typed">): string {
  if (row !== null) return `/channels/${row.id}/edit`;
  const email = typed.get("email") ?? "";
  const query = new URLSearchParams({
    ...(next === "" ? {} : { next }),
    ...(email === "" ? {} : { email }),
  }).toString();
  return `/channels/new/email${query === "" ? "" : `?${query}`}`;
}
