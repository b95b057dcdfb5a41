import type { BatchResult } from "#contract/private_location/v1/private_location_pb";
import type { Kind } from "#check/monitor";
import * as limits from "#limits/lines-limits";
import { breakable } from "#web/page/breakable";
import { html, type Html } from "#web/page/html";

/* A rule for records that has no value yet: its question is tried without it, and an answer becomes the value. */

/** The name of the buttons that make an answer the value of a rule; the value is its type, a space, and the answer. */
const expectButton = "expect";

const rows = "record_assertions";

/** The rows that have a type and no value, by their numbers in the form. */
const unfinished = (typed: URLSearchParams): ReadonlyMap<number, string> =>
  new Map(
    [...typed].flatMap(([name, type]) => {
      const [, index] = /^record_assertions\[(\d+)\]\.record$/.exec(name) ?? [];
      const value = typed.get(`${rows}[${index ?? ""}].target`) ?? "";
      return index === undefined || value.trim() !== "" ? [] : [[Number(index), type] as const];
    }),
  );

/** The form as it is tried: a rule without a value only has its type asked for. */
export function askedWithoutValues(kind: Kind, typed: URLSearchParams): URLSearchParams {
  const open = kind === "dns" ? unfinished(typed) : new Map<number, string>();
  if (open.size === 0) return typed;
  const asked = new URLSearchParams(
    [...typed].filter(([name]) => !open.has(Number(/^record_assertions\[(\d+)\]/.exec(name)?.[1]))),
  );
  const uri = (typed.get("uri") ?? "").trim();
  const whole = /^dns:/i.test(uri) ? uri : `dns:${uri}`;
  const types = [...new Set(open.values())].map((type) => `type=${type}`).join("&");
  if (uri !== "") asked.set("uri", `${whole}${whole.includes("?") ? "&" : "?"}${types}`);
  return asked;
}

/** A button for each answer to a question whose rule has no value yet; null if there is none. */
export function answersToExpect(
  { result }: Pick<BatchResult, "result">,
  typed: URLSearchParams,
): Html | null {
  if (result.case !== "dns") return null;
  const wanted = new Set(unfinished(typed).values());
  const answers = Object.entries(result.value.records)
    .filter(([type]) => wanted.has(type))
    .flatMap(([type, { record }]) => record.map((value) => `${type} ${value}`))
    .slice(0, limits.answersOffered);
  if (answers.length === 0) return null;
  return html`<p class="words">The rule has no value yet, so the question alone was tried.</p>
    <ul class="expected-answers">
      ${answers.map(
        (answer) =>
          html`<li>
            <code>${breakable(answer)}</code>
            <button
              type="submit"
              name="${expectButton}"
              value="${answer}"
              class="small"
              data-stay="trial"
            >
              Expect this answer
            </button>
          </li>`,
      )}
    </ul>`;
}

/** The form with the answer of the pressed button in its rule; null if no such button was pressed. */
export function withExpected(typed: URLSearchParams): URLSearchParams | null {
  const [, type, value = ""] = /^([A-Z]+) (.*)$/s.exec(typed.get(expectButton) ?? "") ?? [];
  if (type === undefined) return null;
  const after = new URLSearchParams(typed);
  after.delete(expectButton);
  const [index] = [...unfinished(typed)].find(([, wanted]) => wanted === type) ?? [];
  if (index !== undefined) after.set(`${rows}[${index}].target`, value);
  return after;
}
