import { html, type Html } from "#web/page/html";
import type { KnownReader } from "#service/operator/page-request";
import { may } from "#service/operator/roles";

/** Where an owner sets the mail server, and comes back from to `next`. */
export const mailFormPath = (next: string): string =>
  `/settings/mail?${new URLSearchParams({ next }).toString()}`;

/** What comes next where mails lack their server: a link for owners, and for everyone else who can set it. */
export const mailServerStep = (reader: KnownReader, next: string): Html =>
  may(reader, "owner")
    ? html`<a href="${mailFormPath(next)}">Set a mail server</a>`
    : html`Ask an owner to set a mail server in <em>Settings → Mail</em>`;
