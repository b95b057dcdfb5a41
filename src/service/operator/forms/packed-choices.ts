import { serviceMonitorsMax } from "#limits/service-limits";
import { violation } from "#service/edge/call-refusal";

/*
 * Of very many boxes only some stand in a form. What else is ticked is one field: the gap to each run of numbers and
 * how many follow in it, in base 36. So a form has room for all monitors of a service, also without a script.
 */

/** The field that has what is ticked of a field, and is not among its boxes. */
export const restField = (field: string): string => `${field}${restMark}`;
const restMark = ".rest";

/** Numbers as the page sends them: `1-7ps` is 1 and the 9,999 that follow. */
export function packed(ids: readonly number[]): string {
  const runs: { readonly begin: number; end: number }[] = [];
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run?.end === id - 1) run.end = id;
    else runs.push({ begin: id, end: id });
  }
  let before = 0;
  const words = runs.map(({ begin, end }) => {
    const gap = (begin - before).toString(36);
    before = end;
    return end === begin ? gap : `${gap}-${(end - begin).toString(36)}`;
  });
  return words.join(".");
}

/** The numbers again; null for what the page never sends. */
export function unpacked(text: string): readonly number[] | null {
  const ids: number[] = [];
  let last = 0;
  for (const word of text === "" ? [] : text.split(".")) {
    const [, gap = "", more = "0"] = /^([0-9a-z]{1,10})(?:-([0-9a-z]{1,10}))?$/.exec(word) ?? [];
    const length = Number.parseInt(more, 36);
    if (gap === "" || ids.length + length >= serviceMonitorsMax) return null;
    last += Number.parseInt(gap, 36);
    for (let step = 0; step <= length; step += 1) ids.push(last + step);
    last += length;
  }
  return ids;
}

/** The form as if all its boxes had stood in it. All fields together tick as many as a service has, and not as many each. */
export function withAllTicked(form: URLSearchParams): URLSearchParams {
  const rests = [...form].filter(([name]) => name.endsWith(restMark));
  if (rests.length === 0) return form;
  const all = new URLSearchParams(form);
  let ticked = 0;
  for (const [name, text] of rests) {
    const field = name.slice(0, -restMark.length);
    const ids = unpacked(text);
    ticked += ids?.length ?? 0;
    if (ids === null || ticked > serviceMonitorsMax)
      throw violation({ field, message: "must be as the page sends it" });
    all.delete(name);
    for (const id of ids) all.append(field, String(id));
  }
  return all;
}
