import type { IncomingMessage } from "node:http";
import { choiceKeptFor } from "#limits/service-limits";
import { millis } from "#base/units";
import { violation } from "#service/edge/call-refusal";
import type { PageAnswer } from "#service/edge/page-answer";
import { isSecure } from "#service/edge/request-facts";
import { type CookieName, cookieIn, cookieText } from "#web/cookie";

/** How pages look in this browser, which keeps it: whoever reads at night on one machine wants day on another. */
export const themes = ["light", "dark"] as const;
export type Theme = (typeof themes)[number];

const themeCookie: CookieName = { name: "picket-theme", path: "/" };

/** Null: pages look as the device does. */
export function themeIn(request: IncomingMessage): Theme | null {
  const kept = cookieIn(request.headers.cookie, themeCookie, isSecure(request));
  return themes.find((one) => one === kept) ?? null;
}

/** What a form says; empty leaves it to the device. */
export function themeOf(text: string): Theme | null {
  const theme = themes.find((one) => one === text) ?? null;
  if (theme === null && text !== "")
    throw violation({ field: "theme", message: `must be one of ${themes.join(", ")}, or empty` });
  return theme;
}

/** Null leaves it to the device. */
export const themeCookieText = (theme: Theme | null, isOverTls: boolean): string => {
  const length = theme === null ? millis(0) : choiceKeptFor;
  return cookieText({ ...themeCookie, value: theme ?? "", sameSite: "Lax", length }, isOverTls);
};

/** A page of ours with the theme of its reader's browser; what is shown as other people see it stays. */
export function themedPage(page: PageAnswer, theme: Theme | null): PageAnswer {
  if (theme === null || page.isAsOthersSee === true) return page;
  return { ...page, body: page.body.replace(htmlBegin, `${htmlBegin} data-theme="${theme}"`) };
}

const htmlBegin = '<html lang="en"';
