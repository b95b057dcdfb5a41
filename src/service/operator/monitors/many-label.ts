import { labelFaults } from "#check/label-faults";
import * as checkLimits from "#limits/check-limits";
import { html, type Html } from "#web/page/html";
import { colonWords } from "#service/operator/monitors/label-keys";
import { saidOfMany } from "#service/operator/forms/refusal-words";
import type { MonitorRow } from "#service/store/state-store";

/* A label for many monitors at once: its rules and their words are those of a monitor's form. */

/** A label that was not taken: what was typed, and what is wrong with it as sentences. */
export interface RefusedLabel {
  readonly typed: URLSearchParams;
  readonly wrong: readonly string[];
}

/** What is wrong with adding it to these monitors; nothing if each may have it. */
export function labelMistakes(
  rows: readonly MonitorRow[],
  key: string,
  value: string,
): readonly string[] {
  // A secret's name has a colon, too: a key without it would be refused next.
  const own = labelFaults({ [key]: value });
  if (own.length > 0) return own.map((one) => `Labels ${saidOfMany(one)}.`);
  if (key.includes(":")) return [`The label ${colonWords(key, value)}.`];
  for (const { definition } of rows) {
    const [fault] = labelFaults({ ...definition.labels, [key]: value });
    if (fault !== undefined) return [`Labels of ${definition.name} ${saidOfMany(fault)}.`];
  }
  return [];
}

/** The part of the overview's bar that has the label; open if it was refused. */
export const labelPart = (refused: RefusedLabel | null, buttons: Html): Html =>
  html`<details name="many" class="drop" ${refused === null ? null : html` open`}>
    <summary class="button">Label</summary>
    <div class="together dropped">
      ${labelField("Label", "key", "team", refused)}
      ${labelField("Value", "value", "shop", refused)} ${buttons} ${wrongLine(refused)}
    </div>
  </details>`;

const wrongLine = (refused: RefusedLabel | null): Html | null =>
  refused === null || refused.wrong.length === 0
    ? null
    : html`<p class="wrong-line" id="many-label-wrong" role="alert">${refused.wrong.join(" ")}</p>`;

function labelField(
  words: string,
  name: "key" | "value",
  example: string,
  refused: RefusedLabel | null,
): Html {
  const wrong = name === "key" && refused !== null && refused.wrong.length > 0;
  return html`<label
    >${words}
    <input
      name="${name}"
      value="${refused?.typed.get(name) ?? ""}"
      maxlength="${name === "key" ? checkLimits.nameCharsMax : checkLimits.locationValueCharsMax}"
      placeholder="${example}"
      autocomplete="off"
      ${wrong ? html` aria-invalid="true" aria-describedby="many-label-wrong" autofocus` : null}
  /></label>`;
}
