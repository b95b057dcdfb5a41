import { refuseViolations } from "#service/edge/call-refusal";

/** A number of an address or a form: null if there is none, undefined for what is no whole number. */
export const wholeNumber = (text: string | null): number | null | undefined => {
  if (text === null || text === "") return null;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
};

/** A number that an address has under a name, null if it has none; what is no whole number is refused. */
export function numberIn(query: URLSearchParams, name: string): number | null {
  const number = wholeNumber(query.get(name));
  if (number === undefined)
    refuseViolations([{ field: name, message: "must be a whole number, for example 50" }]);
  return number ?? null;
}

/** Where a list begins. */
export const offsetIn = (query: URLSearchParams): number => numberIn(query, "offset") ?? 0;
