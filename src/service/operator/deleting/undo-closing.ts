import type { IncomingMessage } from "node:http";
import { epochMillis, type EpochMillis } from "#base/units";
import { undoneWithin } from "#limits/service-limits";
import { seeOther } from "#service/edge/page-answer";
import { isSecure } from "#service/edge/request-facts";
import { type OperatorForm, wantedPath } from "#service/operator/page-request";
import { type CookieName, cookieIn, cookieText } from "#web/cookie";

/* Whoever does not want to undo closes the notice. The browser keeps that for as long as the notice would be shown. */

export const undoClosePath = "/undo/close";

const closedCookie: CookieName = { name: "picket-undo-closed", path: "/" };

/** When the newest deletion was whose notice is closed in this browser: only those after it are shown. */
export function undoClosedIn(request: IncomingMessage): EpochMillis {
  const kept = cookieIn(request.headers.cookie, closedCookie, isSecure(request)) ?? "";
  return epochMillis(instant.test(kept) ? Number(kept) : 0);
}

const instant = /^\d{1,15}$/;

/** Everything up to this deletion: what is deleted later is shown again. */
export const undoCloseForm: OperatorForm = {
  role: "responder",
  path: /^\/undo\/close$/,
  act: async (_context, { form, isSecure: isOverTls }) => {
    const at = form.get("at") ?? "";
    const cookie = { ...closedCookie, value: at, sameSite: "Lax", length: undoneWithin } as const;
    const kept = instant.test(at) ? { "set-cookie": [cookieText(cookie, isOverTls)] } : {};
    return seeOther(wantedPath(form.get("back")), kept);
  },
};
