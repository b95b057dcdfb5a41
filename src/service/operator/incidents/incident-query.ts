import { wholeNumber } from "#service/operator/whole-number";

/** Which incidents a reader wants to see; all of it stands in the address of the page. */
export interface IncidentQuery {
  /** Null shows all. */
  readonly state: IncidentState | null;
  /** Ids; null is every one. */
  readonly monitor: number | null;
  readonly location: number | null;
  /** Those of one message, as ranges of numbers; null is every one. */
  readonly numbers: string | null;
  /** Whether those of one cause are one row. */
  readonly grouped: boolean;
  readonly offset: number;
}

/** All of them. */
export const anyIncident: IncidentQuery = {
  state: null,
  monitor: null,
  location: null,
  numbers: null,
  grouped: true,
  offset: 0,
};

const incidentStates = ["open", "over"] as const;
export type IncidentState = (typeof incidentStates)[number];

type IncidentQueryReading =
  | { readonly ok: true; readonly query: IncidentQuery }
  | { readonly ok: false; readonly message: string };

/** Reads `?state=&monitor=&location=&numbers=&grouped=&offset=`; other parameters are not looked at. */
export function readIncidentQuery(from: URLSearchParams): IncidentQueryReading {
  const word = from.get("state") || null;
  const state = incidentStates.find((one) => one === word) ?? null;
  if (word !== null && state === null)
    return { ok: false, message: `state must be one of ${incidentStates.join(", ")}` };
  const monitor = wholeNumber(from.get("monitor"));
  const location = wholeNumber(from.get("location"));
  const offset = wholeNumber(from.get("offset"));
  if (monitor === undefined || location === undefined || offset === undefined)
    return { ok: false, message: "monitor, location and offset must be whole numbers" };
  const numbers = from.get("numbers") || null;
  if (numbers !== null && !/^[\d_-]{1,1000}$/.test(numbers))
    return { ok: false, message: "numbers must be like 1-3_7" };
  const grouped = from.get("grouped") !== "no";
  return { ok: true, query: { state, monitor, location, numbers, grouped, offset: offset ?? 0 } };
}

/** The same as a query, `?` included; what is the default is left out. */
export function incidentQueryText(query: IncidentQuery): string {
  const { state, monitor, location, numbers, offset } = query;
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries({ state, monitor, location, numbers, offset }))
    if (value !== null && value !== 0) all.set(name, String(value));
  if (!query.grouped) all.set("grouped", "no");
  return all.size === 0 ? "" : `?${all.toString()}`;
}
