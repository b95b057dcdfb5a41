import * as limits from "#limits/pages-limits";
import { isListView, listViews, type ListView } from "#service/operator/lists/list-view";
import { type PlannedState, plannedStates } from "#service/operator/planned/planned-monitors";
import type { ListedState } from "#service/operator/picture";
import { wholeNumber } from "#service/operator/whole-number";

/** Which monitors a reader wants to see, and in which order; all of it stands in the address of the page. */
export interface OverviewQuery {
  /** Null shows all. */
  readonly state: ListedState | null;
  /** Whether only monitors that notify no one are shown. */
  readonly unheard: boolean;
  /** Whether only monitors about which nothing is sent are shown, and why; null shows all. */
  readonly planned: PlannedState | null;
  /** A location's id; null is every location. */
  readonly location: number | null;
  /** `key:value` of a label; empty is every one. */
  readonly label: string;
  /** Part of the name, the target or the reason; empty finds all. */
  readonly text: string;
  readonly sort: Sort;
  /** Whether monitors that fail for one cause are one row. */
  readonly grouped: boolean;
  readonly view: ListView;
  readonly offset: number;
}

export const sorts = ["urgency", "name", "since", "latency", "uptime"] as const;
export type Sort = (typeof sorts)[number];
/** What fails comes first. */
export const pictureStates = [
  "error",
  "flapping",
  "degraded",
  "unknown",
  "recovering",
  "active",
  "inactive",
] as const;

/** What is shown at an address that says nothing. */
export const firstQuery: OverviewQuery = {
  state: null,
  unheard: false,
  planned: null,
  location: null,
  label: "",
  text: "",
  sort: "urgency",
  grouped: true,
  view: "comfortable",
  offset: 0,
};

/** Whether it finds every monitor, in whatever order. */
export const findsAll = ({
  state,
  unheard,
  planned,
  location,
  label,
  text,
}: OverviewQuery): boolean =>
  state === null &&
  !unheard &&
  planned === null &&
  location === null &&
  label === "" &&
  text === "";

type QueryReading =
  | { readonly ok: true; readonly query: OverviewQuery }
  | { readonly ok: false; readonly message: string };

/**
 * Reads `?state=&unheard=&planned=&location=&label=&text=&sort=&grouped=&view=&offset=`; other parameters are not looked
 * at. An address without a view has the one that its reader chose.
 */
export function readOverviewQuery(
  from: URLSearchParams,
  chosen: ListView = firstQuery.view,
): QueryReading {
  const state = from.get("state") || null;
  if (state !== null && !isState(state))
    return { ok: false, message: `state must be one of ${pictureStates.join(", ")}` };
  const planned = from.get("planned") || null;
  if (planned !== null && !isPlanned(planned))
    return { ok: false, message: `planned must be one of ${plannedStates.join(", ")}` };
  const sort = from.get("sort") || "urgency";
  if (!isSort(sort)) return { ok: false, message: `sort must be one of ${sorts.join(", ")}` };
  const view = from.get("view") || chosen;
  if (!isListView(view))
    return { ok: false, message: `view must be one of ${listViews.join(", ")}` };
  const location = wholeNumber(from.get("location"));
  const offset = wholeNumber(from.get("offset"));
  if (location === undefined || offset === undefined)
    return { ok: false, message: "location and offset must be whole numbers" };
  const words = (name: string): string =>
    (from.get(name) ?? "").trim().slice(0, limits.pageFilterCharsMax);
  return {
    ok: true,
    query: {
      state,
      unheard: from.get("unheard") === "yes",
      planned,
      location,
      label: words("label"),
      text: words("text"),
      sort,
      grouped: from.get("grouped") !== "no",
      view,
      offset: offset ?? 0,
    },
  };
}

/** The same as a query, `?` included; what is the default is left out. */
export function queryText(query: OverviewQuery): string {
  const all = new URLSearchParams();
  const set = (name: string, value: string | null): void => {
    if (value !== null && value !== "") all.set(name, value);
  };
  set("state", query.state);
  set("unheard", query.unheard ? "yes" : null);
  set("planned", query.planned);
  set("location", query.location === null ? null : String(query.location));
  set("label", query.label);
  set("text", query.text);
  set("sort", query.sort === "urgency" ? null : query.sort);
  set("grouped", query.grouped ? null : "no");
  set("view", query.view === firstQuery.view ? null : query.view);
  set("offset", query.offset === 0 ? null : String(query.offset));
  return all.size === 0 ? "" : `?${all.toString()}`;
}

const isState = (word: string): word is ListedState => pictureStates.some((one) => one === word);
const isPlanned = (word: string): word is PlannedState => plannedStates.some((one) => one === word);
const isSort = (word: string): word is Sort => sorts.some((one) => one === word);
