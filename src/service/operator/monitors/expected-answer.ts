import type { BatchResult } from "#contract/private_location/v1/private_location_pb";
import { recordTypes } from "#check/assertion";
import type { Kind } from "#check/monitor";
import * as limits from "#limits/lines-limits";
import { formRowsMax } from "#limits/pages-limits";
import { openMark, rowCount } from "#service/operator/forms/form-rows";
import { breakable } from "#web/page/breakable";
import { html, type Html } from "#web/page/html";

/* A rule for records that has no value yet, or is not there yet: the question is tried without it, and an answer becomes the value. */

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

/** A button for each answer that no rule is about yet, or whose rule has no value yet; null if there is none. */
export function answersToExpect(
  { result }: Pick<BatchResult, "result">,
  typed: URLSearchParams,
): Html | null {
  if (result.case !== "dns") return null;
  const open = new Set(unfinished(typed).values());
  const answers = recordTypes
    .filter((type) => open.size === 0 || open.has(type))
    .flatMap((type) => {
      const values = result.value.records[type]?.record ?? [];
      return unexpected(type, values, typed).map((value) => `${type} ${value}`);
    })
    .slice(0, limits.answersOffered);
  if (answers.length === 0) return null;
  const why =
    open.size === 0
      ? "No rule expects these records, so the check would pass without them, too."
      : "The rule has no value yet, so the question alone was tried.";
  return html`<p class="words">${why}</p>
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

/** The answers of one type that no rule expects; none if a rule is about something else, or expects what did not come. */
function unexpected(
  type: RecordType,
  values: readonly string[],
  typed: URLSearchParams,
): readonly string[] {
  const rules = rulesFor(type, typed);
  const isMet = ({ comparator, target }: RecordRule): boolean =>
    comparator === "eq" && values.some((value) => isSame(value, target));
  if (!rules.every(isMet)) return [];
  return values.filter((value) => !rules.some(({ target }) => isSame(value, target)));
}

/** As a person may write it: what is the same in another way is offered no more than what differs. */
const isSame = (value: string, target: string): boolean =>
  value.replace(/\.$/, "").toLowerCase() === target.replace(/\.$/, "").toLowerCase();

type RecordType = (typeof recordTypes)[number];

interface RecordRule {
  readonly comparator: string;
  readonly target: string;
}

/** The rules for a type that have a value. */
const rulesFor = (type: RecordType, typed: URLSearchParams): readonly RecordRule[] =>
  [...typed].flatMap(([name, value]) => {
    const [, row] = /^(record_assertions\[\d+\])\.record$/.exec(name) ?? [];
    const target = (typed.get(`${row}.target`) ?? "").trim();
    if (row === undefined || value !== type || target === "") return [];
    return [{ comparator: typed.get(`${row}.comparator`) ?? "", target }];
  });

/** The form with the answer of the pressed button in its rule, or in a new one; null if no such button was pressed. */
export function withExpected(typed: URLSearchParams): URLSearchParams | null {
  const [, type, value = ""] = /^([A-Z]+) (.*)$/s.exec(typed.get(expectButton) ?? "") ?? [];
  if (type === undefined) return null;
  const after = new URLSearchParams(typed);
  after.delete(expectButton);
  const [index] = [...unfinished(typed)].find(([, wanted]) => wanted === type) ?? [];
  if (index !== undefined) {
    after.set(`${rows}[${index}].target`, value);
    return after;
  }
  const count = rowCount(typed, rows);
  if (count >= formRowsMax) return after;
  const row = { record: type, comparator: "eq", target: value };
  for (const [column, one] of Object.entries(row)) after.set(`${rows}[${count}].${column}`, one);
  after.append(openMark, rows);
  return after;
}
