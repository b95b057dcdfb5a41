import { html, type Html } from "#web/page/html";
import type { PageAnswer } from "#service/edge/page-answer";
import {
  framed,
  type KnownReader,
  type PageContext,
  type PageRequest,
} from "#service/operator/page-request";
import { may } from "#service/operator/roles";
import type { Role } from "#service/store/people-store";

/** The parts of the settings, each with the role that sees it. */
const parts: readonly (readonly [path: string, words: string, role: Role])[] = [
  ["/settings", "Profile", "reader"],
  ["/settings/sessions", "Sessions", "reader"],
  ["/settings/people", "People", "owner"],
  ["/settings/keys", "API keys", "owner"],
  ["/settings/service", "Service", "owner"],
  ["/settings/mail", "Mail", "owner"],
  ["/changes", "Audit log", "reader"],
];

interface SettingsPage {
  readonly path: string;
  readonly title: string;
  readonly content: Html;
  readonly status?: number;
}

/** A page of the settings, below their head. */
export const settingsPage = (
  { rooms }: PageContext,
  request: Pick<PageRequest, "reader">,
  { path, title, content, status = 200 }: SettingsPage,
): PageAnswer =>
  framed(
    request,
    {
      title: `${title} · Settings · Picket`,
      section: "settings",
      document: null,
      at: rooms.clock.wall(),
      content: html`${settingsHead(path, request.reader)} ${content}`,
    },
    status,
  );

/** What all pages of the settings begin with: what they are, and links to those that this reader may see. */
export const settingsHead = (current: string, reader: KnownReader): Html =>
  html`<p class="settings-title">Settings</p>
    <nav class="parts" aria-label="Settings">
      ${parts
        .filter(([, , role]) => may(reader, role))
        .map(
          ([path, words]) =>
            html`<a href="${path}" ${path === current ? html` aria-current="page"` : null}
              >${words}</a
            > `,
        )}
    </nav>`;

/** What is shown once, and how to copy it without a script: the field selects all of it. What it is for may come before it. */
export const shownOnce = (
  label: string,
  secret: string,
  advice: Html | string,
  before: Html | null = null,
): Html =>
  html`<div class="card shown-once" role="status">
    ${before === null ? null : html`<p>${before}</p>`}
    <p><label for="once">${label}</label></p>
    <div class="pasting">
      <input id="once" class="line" readonly value="${secret}" />
      <button type="button" class="copy" data-copies="once">Copy</button>
    </div>
    <p class="help">${advice}</p>
  </div>`;
