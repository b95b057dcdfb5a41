import { html, type Html } from "#web/page/html";

/** The parts of the operator's pages, in the order of the header. */
export type Section =
  | "monitors"
  | "incidents"
  | "status pages"
  | "maintenance"
  | "reports"
  | "channels"
  | "agents"
  | "settings";

/** Where each part begins, and what it is called. */
const entries: readonly (readonly [section: Section, path: string, words: string])[] = [
  ["monitors", "/", "Monitors"],
  ["incidents", "/incidents", "Incidents"],
  ["status pages", "/status-pages", "Status pages"],
  ["maintenance", "/maintenances", "Maintenance"],
  ["reports", "/uptime", "Reports"],
  ["channels", "/channels", "Channels"],
  ["agents", "/locations", "Agents"],
  ["settings", "/settings", "Settings"],
];

/** Links to all parts; the one that is shown is marked. On a narrow screen a button opens them, without a script. */
export const navigation = (current: Section | null): Html =>
  html`<nav class="rooms" id="pages" popover aria-label="Pages">
    ${entries.map(
      ([section, path, words]) =>
        html`<a href="${path}" ${section === current ? html` aria-current="true"` : null}
          >${words}</a
        > `,
    )}
  </nav>`;

export const menuButton: Html = html`<button type="button" class="menu" popovertarget="pages">
  <svg viewBox="0 0 16 16" aria-hidden="true"><path d="M2 4h12M2 8h12M2 12h12" /></svg> Menu
</button>`;
