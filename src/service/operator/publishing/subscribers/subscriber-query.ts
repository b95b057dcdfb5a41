import * as limits from "#limits/status-limits";
import { offsetIn } from "#service/operator/whole-number";
import { type SubscriberState, subscriberStates } from "#service/store/news/subscriber-state";
import type { SubscriberWay } from "#service/store/subscriber-store";

/** Which of a page's subscribers a person wants to see. */
export interface SubscribersShown {
  /** Part of an address, a name or a host; empty: all. */
  readonly search: string;
  /** Null: all but those who left. */
  readonly state: SubscriberState | null;
  /** Null: by every way. */
  readonly way: SubscriberWay | null;
  readonly offset: number;
}

export const allSubscribers: SubscribersShown = { search: "", state: null, way: null, offset: 0 };

export const isNarrowed = ({ search, state, way }: SubscribersShown): boolean =>
  search !== "" || state !== null || way !== null;

/** Whoever may not see addresses cannot search them: what is found would show them. */
export function subscribersShownIn(
  query: URLSearchParams,
  seesAddresses: boolean,
): SubscribersShown {
  const way = query.get("way");
  return {
    search: seesAddresses
      ? (query.get("search") ?? "").trim().slice(0, limits.subscriberSearchCharsMax)
      : "",
    state: subscriberStates.find((known) => known === query.get("state")) ?? null,
    way: way === "email" || way === "webhook" ? way : null,
    offset: offsetIn(query),
  };
}

/** The address of the same list, at another path. */
export function subscribersAddress(path: string, shown: SubscribersShown): string {
  const named = Object.entries(shown).flatMap(([name, value]) =>
    value === null || value === "" || value === 0 ? [] : [[name, String(value)]],
  );
  return named.length === 0 ? path : `${path}?${new URLSearchParams(named).toString()}`;
}

/** The hidden field of a form that leads back to the list: which list its reader sees. */
export const listField = "list";

export const listText = (shown: SubscribersShown): string => subscribersAddress("", shown).slice(1);

/** The list from which a form was sent by whoever sees addresses. */
export const listIn = (form: URLSearchParams): SubscribersShown =>
  subscribersShownIn(new URLSearchParams(form.get(listField) ?? ""), true);
