import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/pages-limits";
import { type Standing, standings } from "#web/page/verdict-mark";

/** Which monitors a reader wants to see. */
export interface Selection {
  /** Null shows all. */
  readonly status: Standing | null;
  /** Part of the name, the target or the id; empty finds all. */
  readonly search: string;
  readonly limit: number;
  readonly offset: number;
  /** A line each, or more of each; null leaves it to how many there are. */
  readonly view: View | null;
}

export const views = ["lines", "full"] as const;
export type View = (typeof views)[number];

type SelectionReading =
  | { readonly ok: true; readonly selection: Selection }
  | { readonly ok: false; readonly message: string };

/** Reads `?status=&search=&limit=&offset=&view=`; other parameters are not looked at. */
export function readSelection(query: URLSearchParams): SelectionReading {
  const status = query.get("status") || null;
  if (status !== null && !isStanding(status))
    return { ok: false, message: `status must be one of ${standings.join(", ")}` };
  const limit = wholeNumber(query.get("limit"), limits.monitorsShownDefault);
  if (limit === null || limit < 1 || limit > limits.monitorsShownMax)
    return { ok: false, message: `limit must be in 1 to ${limits.monitorsShownMax}` };
  const offset = wholeNumber(query.get("offset"), 0);
  if (offset === null) return { ok: false, message: "offset must be a whole number from 0 on" };
  const view = query.get("view") || null;
  if (view !== null && !isView(view))
    return { ok: false, message: `view must be one of ${views.join(", ")}` };
  const search = (query.get("search") ?? "").trim().slice(0, checkLimits.targetCharsMax);
  return { ok: true, selection: { status, search, limit, offset, view } };
}

/** The same selection as a query, `?` included; what is the default is left out. */
export function queryOf({ status, search, limit, offset, view }: Selection): string {
  const query = new URLSearchParams();
  if (status !== null) query.set("status", status);
  if (search !== "") query.set("search", search);
  if (limit !== limits.monitorsShownDefault) query.set("limit", String(limit));
  if (offset !== 0) query.set("offset", String(offset));
  if (view !== null) query.set("view", view);
  return query.size === 0 ? "" : `?${query.toString()}`;
}

const isStanding = (word: string): word is Standing => standings.some((one) => one === word);

const isView = (word: string): word is View => views.some((one) => one === word);

const wholeNumber = (text: string | null, otherwise: number): number | null => {
  if (text === null || text === "") return otherwise;
  return /^\d{1,7}$/.test(text) ? Number(text) : null;
};
