import type { IncomingMessage } from "node:http";
import { choiceKeptFor } from "#limits/service-limits";
import { isTimeZone } from "#base/time-zone";
import { millis } from "#base/units";
import { isSecure } from "#service/edge/request-facts";
import type { Reader } from "#service/operator/reader";
import { hasAccount } from "#service/operator/settings/own-account";
import { type CookieName, cookieIn, cookieText } from "#web/cookie";

/** The zone of whoever has no account that keeps it: this browser does. */
const zoneCookie: CookieName = { name: "picket-zone", path: "/" };

/** Whoever is on this machine, where no one signs in. */
export const localReader = (
  formToken: string,
  request: IncomingMessage,
): Extract<Reader, { kind: "local" }> => ({
  kind: "local",
  formToken,
  timeZone: zoneInCookie(request),
});

/** Someone who signed in, with the zone of their account, or else of their browser. */
export const withOwnZone = (reader: SignedInReader, request: IncomingMessage): SignedInReader =>
  hasAccount(reader) ? reader : { ...reader, timeZone: zoneInCookie(request) };

type SignedInReader = Extract<Reader, { kind: "signed in" }>;

/** Empty if the browser sends none, or one that no system knows. */
function zoneInCookie(request: IncomingMessage): string {
  const zone = cookieIn(request.headers.cookie, zoneCookie, isSecure(request)) ?? "";
  return isTimeZone(zone) ? zone : "";
}

/** An empty zone takes it from the browser. It comes along with a link in a message: it only says how times are written. */
export const zoneCookieText = (zone: string, isOverTls: boolean): string => {
  const length = zone === "" ? millis(0) : choiceKeptFor;
  return cookieText({ ...zoneCookie, value: zone, sameSite: "Lax", length }, isOverTls);
};
