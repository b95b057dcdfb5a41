import { seeOther } from "#service/edge/page-answer";
import type { OperatorPage } from "#service/operator/page-request";

/** Addresses that people type from memory, and the page that each of them means. */
const meant: readonly (readonly [typed: string, page: string])[] = [
  ["monitors", "/"],
  ["monitor", "/"],
  ["dashboard", "/"],
  // Whoever is not signed in is asked to sign in first.
  ["login", "/"],
  ["incident", "/incidents"],
  ["alerts", "/incidents"],
  ["maintenance", "/maintenances"],
  ["maintenance/new", "/maintenances/new"],
  ["silences", "/maintenances"],
  ["status-page", "/status-pages"],
  ["channel", "/channels"],
  ["notifications", "/channels"],
  ["location", "/locations"],
  ["agents", "/locations"],
  ["report", "/uptime"],
  ["reports", "/uptime"],
  ["audit", "/changes"],
  ["audit-log", "/changes"],
  ["settings/audit", "/changes"],
  ["settings/changes", "/changes"],
  ["profile", "/settings"],
  ["account", "/settings"],
  ["settings/account", "/settings"],
  ["keys", "/settings/keys"],
  ["api-keys", "/settings/keys"],
  ["settings/api-keys", "/settings/keys"],
  ["people", "/settings/people"],
  ["users", "/settings/people"],
  ["settings/users", "/settings/people"],
];

/** The thing that `/monitor/12` means, by one letter more. */
const thingPage: OperatorPage = {
  role: "reader",
  path: /^\/(?<part>monitor|incident|maintenance|status-page|channel|location|report)\/(?<id>\d{1,15})$/,
  answer: async (_context, { part, id }) => seeOther(`/${part}s/${id}`),
};

/** Each leads a reader to the page, which says itself who may see it. */
export const aliasPages: readonly OperatorPage[] = [
  ...meant.map(([typed, page]): OperatorPage => ({
    role: "reader",
    path: new RegExp(`^/${typed}$`),
    answer: async () => seeOther(page),
  })),
  thingPage,
];
