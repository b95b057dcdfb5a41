import type { BatchResult } from "#contract/private_location/v1/private_location_pb";
import { isMapping, parsedJson } from "#base/json";
import type { MonitorDefinition } from "#check/definition";
import { parseJsonPath } from "#check/json-path";
import { removed } from "#check/shown-header";
import * as limits from "#limits/lines-limits";
import { formRowsMax } from "#limits/pages-limits";
import { breakable } from "#web/page/breakable";
import { html, type Html } from "#web/page/html";
import { OwnSecrets } from "#service/monitors/own-secrets";
import { answerIn, sentAnswer } from "#service/monitors/server-answer";
import { openMark, rowCount } from "#service/operator/forms/form-rows";

/* The values of a JSON answer that was tried: each may become what a rule expects. */

/** The name of the buttons; the value is a path and its value, as JSON. */
const valueButton = "expect_value";

const rows = "json_assertions";

/** A button for each of the first values that no rule is about yet; null if there is none. */
export function valuesToExpect(
  { result, detail }: Pick<BatchResult, "result" | "detail">,
  definition: MonitorDefinition,
  typed: URLSearchParams,
): Html | null {
  if (result.case !== "http") return null;
  const body = answerIn(sentAnswer(result.value, detail), new OwnSecrets(definition))?.body;
  if (body === undefined || body === null || body.isCut) return null;
  const ruled = new Set(
    [...typed].flatMap(([name, value]) => (isPath(name) ? [value.trim()] : [])),
  );
  const values = scalarsIn(parsedJson(body.excerpt))
    .filter(({ path }) => !ruled.has(path))
    .slice(0, limits.answersOffered);
  if (values.length === 0) return null;
  return html`<p class="words">The answer is JSON. A value of it can become an assertion:</p>
    <ul class="expected-answers">
      ${values.map(
        ({ path, value }) =>
          html`<li>
            <code>${breakable(`${path} = ${value}`)}</code>
            <button
              type="submit"
              name="${valueButton}"
              value="${JSON.stringify([path, value])}"
              class="small"
              data-stay="trial"
            >
              Expect this
            </button>
          </li>`,
      )}
    </ul>`;
}

const isPath = (name: string): boolean => /^json_assertions\[\d+\]\.path$/.test(name);

interface Scalar {
  readonly path: string;
  /** As JSON writes it. */
  readonly value: string;
}

/** Those that are nested least come first: an answer says there how it is. What is left out, or long, is not offered. */
function scalarsIn(document: unknown): readonly Scalar[] {
  const found: Scalar[] = [];
  let level: readonly (readonly [path: string, value: unknown])[] = [["$", document]];
  while (level.length > 0) {
    for (const [path, value] of level) {
      const text = typeof value === "object" ? "" : JSON.stringify(value);
      const isOpen = !text.includes(removed) && !text.includes("\ufffd");
      if (
        text !== "" &&
        isOpen &&
        text.length <= limits.valueCharsOffered &&
        parseJsonPath(path).ok
      )
        found.push({ path, value: text });
    }
    level = level.flatMap(([path, value]) => partsOf(path, value));
  }
  return found;
}

function partsOf(path: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.map((one: unknown, index) => [`${path}[${index}]`, one]);
  if (!isMapping(value)) return [];
  return Object.entries(value).map(([name, one]) => [`${path}${stepTo(name)}`, one]);
}

const stepTo = (name: string): string =>
  /^[A-Za-z_][\w-]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;

/** The form with a rule for the value of the pressed button; null if no such button was pressed. */
export function withExpectedValue(typed: URLSearchParams): URLSearchParams | null {
  const pressed = typed.get(valueButton);
  if (pressed === null) return null;
  const after = new URLSearchParams(typed);
  after.delete(valueButton);
  const sent = parsedJson(pressed);
  const [path, value]: readonly unknown[] = Array.isArray(sent) ? sent : [];
  const count = rowCount(typed, rows);
  if (typeof path !== "string" || typeof value !== "string" || count >= formRowsMax) return after;
  const row = { path, comparator: "eq", target: value };
  for (const [column, one] of Object.entries(row)) after.set(`${rows}[${count}].${column}`, one);
  after.append(openMark, rows);
  return after;
}
