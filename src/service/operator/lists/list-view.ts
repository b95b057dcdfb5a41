import type { IncomingMessage } from "node:http";
import { choiceKeptFor } from "#limits/service-limits";
import { millis } from "#base/units";
import { isSecure } from "#service/edge/request-facts";
import { type CookieName, cookieIn, cookieText } from "#web/cookie";

/** How high the lines of the overview are: comfortable ones say more of each monitor, compact ones show more of them. */
export const listViews = ["comfortable", "compact"] as const;
export type ListView = (typeof listViews)[number];

export const isListView = (word: string): word is ListView => listViews.some((one) => one === word);

/** A desk has room for another view than a phone: the browser keeps which one was chosen in it. */
const viewCookie: CookieName = { name: "picket-list", path: "/" };

/** The one that was chosen in this browser; null if none was. */
export const listViewIn = (request: IncomingMessage): ListView | null => {
  const kept = cookieIn(request.headers.cookie, viewCookie, isSecure(request)) ?? "";
  return isListView(kept) ? kept : null;
};

/** The first one needs no cookie. */
export const listViewCookieText = (view: ListView, isOverTls: boolean): string => {
  const length = view === listViews[0] ? millis(0) : choiceKeptFor;
  return cookieText({ ...viewCookie, value: view, sameSite: "Lax", length }, isOverTls);
};
