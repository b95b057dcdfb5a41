import { html, type Html } from "#web/page/html";

/** The parts of the operator's pages, in the order of the header. */
export type Section =
  | "overview"
  | "incidents"
  | "locations"
  | "channels"
  | "status pages"
  | "maintenance"
  | "reports"
  | "changes"
  | "settings";

/** Where each part begins, and what it is called. A part without a page of its own is not in the header yet. */
const entries: readonly (readonly [section: Section, path: string, words: string])[] = [
  ["overview", "/", "Overview"],
  ["incidents", "/incidents", "Incidents"],
  ["locations", "/locations", "Locations"],
  ["channels", "/channels", "Channels"],
  ["status pages", "/status-pages", "Status pages"],
  ["maintenance", "/maintenances", "Maintenance"],
  ["reports", "/uptime", "Reports"],
  ["changes", "/changes", "Audit log"],
  ["settings", "/settings", "Settings"],
];

/** Links to all parts; the one that is shown is marked. */
export const navigation = (current: Section | null): Html =>
  html`<nav class="rooms" aria-label="Pages">
    ${entries.map(
      ([section, path, words]) =>
        html`<a href="${path}" ${section === current ? html` aria-current="true"` : null}
          >${words}</a
        > `,
    )}
  </nav>`;
