import type { Silence } from "#service/alerting/silence";
import { may } from "#service/operator/roles";
import type { Mistake } from "#check/findings";
import { counted, dayAndTime, isoTime, remainingLength } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as checkLimits from "#limits/check-limits";
import { newSilence } from "#service/api/incident-api";
import { because, Refusal } from "#service/edge/call-refusal";
import type { PageAnswer } from "#service/edge/page-answer";
import { withGroupedLimits } from "#service/operator/forms/grouped-limits";
import * as limits from "#limits/pages-limits";
import { choiceField } from "#service/operator/form-fields";
import { actorOf, type FormRequest, type KnownReader } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { after, type EpochMillis, hours, type Millis, millis, minutes } from "#base/units";

/** How long a person silences something: until a person has looked, or slept. */
const lengths: Readonly<Record<string, { readonly length: Millis; readonly words: string }>> = {
  "30m": { length: minutes(30), words: "30 min" },
  "1h": { length: hours(1), words: "1 hour" },
  "4h": { length: hours(4), words: "4 hours" },
  "24h": { length: hours(24), words: "1 day" },
};
/** The usual lengths, by their words in a form. */
export const silenceLengths: readonly (readonly [value: string, words: string])[] = Object.entries(
  lengths,
).map(([value, { words }]) => [value, words]);

/** A silence that was not taken: what was typed, and what is wrong with its fields. */
export interface RefusedSilence {
  readonly typed: URLSearchParams;
  readonly mistakes: readonly Mistake[];
}

/** What the form of a silence begins with. */
const atFirst: RefusedSilence = {
  typed: new URLSearchParams({ length: "1h", count: "2", unit: "h" }),
  mistakes: [],
};

/** Units of a length of one's own. */
const units: Readonly<Record<string, { readonly length: Millis; readonly words: string }>> = {
  m: { length: minutes(1), words: "minutes" },
  h: { length: hours(1), words: "hours" },
  d: { length: hours(24), words: "days" },
};

/** A number with its unit, in view if it is chosen. */
const ownLength = (state: RefusedSilence): Html =>
  html`<div class="own-length">
    <label
      >Number
      <input
        name="count"
        type="number"
        inputmode="numeric"
        min="1"
        max="${limits.silenceCountMax}"
        ${filledIn("count", state)}
    /></label>
    ${choiceField(
      "Unit",
      "unit",
      Object.entries(units).map(([unit, { words }]) => [unit, words] as const),
      state.typed.get("unit") ?? "",
    )}
    ${wrongLine("count", state)}
  </div>`;

const lengthChoice = (value: string, words: string, { typed }: RefusedSilence): Html =>
  html`<label
    ><input
      type="radio"
      name="length"
      value="${value}"
      ${value === typed.get("length") ? html` checked` : null}
    />
    ${words}</label
  >`;

const reasonField = (state: RefusedSilence): Html =>
  html`<label
      >Reason (optional)
      <input
        name="reason"
        maxlength="${checkLimits.descriptionCharsMax}"
        ${filledIn("reason", state)}
    /></label>
    ${wrongLine("reason", state)}`;

/** Fields that can be wrong, by their names on the page. */
const fieldWords = { count: "Number", reason: "Reason" } as const;
type FieldName = keyof typeof fieldWords;

/** What was typed into a field, which has the cursor if it is wrong. */
const filledIn = (name: FieldName, { typed, mistakes }: RefusedSilence): Html => {
  const wrong = mistakes.some(({ field }) => field === name)
    ? html` aria-invalid="true" aria-describedby="silence-${name}-wrong" autofocus`
    : null;
  return html`value="${typed.get(name) ?? ""}" autocomplete="off"${wrong}`;
};

const wrongLine = (name: FieldName, { mistakes }: RefusedSilence): Html | null => {
  const wrong = mistakes.find(({ field }) => field === name);
  if (wrong === undefined) return null;
  return html`<p class="wrong-line" id="silence-${name}-wrong" role="alert">
    ${fieldWords[name]} ${wrong.message}.
  </p>`;
};

/** For how long nothing is to be sent, and why; `action` is where that is sent, if the form is for more. */
export function silenceFields(refused: RefusedSilence | null, action: string | null = null): Html {
  const state = refused ?? atFirst;
  return html`<div class="lengths">
    <fieldset>
      <legend>How long</legend>
      <div class="options">
        ${Object.entries(lengths).map(([value, { words }]) => lengthChoice(value, words, state))}
        ${lengthChoice("own", "Other…", state)}
      </div>
    </fieldset>
    ${ownLength(state)} ${reasonField(state)}
    <button type="submit" class="main" ${action === null ? null : html` formaction="${action}"`}>
      Silence
    </button>
  </div>`;
}

export const silenceWords = (what: string): Html =>
  html`<p class="words">
    Nothing new is sent about ${what} for that long, apart from recoveries. What is still open
    afterwards is sent then.
  </p>`;

interface OneSilenceForm {
  readonly action: string;
  readonly what: string;
  readonly reader: KnownReader;
  readonly refused: RefusedSilence | null;
}

/** A form that silences one thing, open if it was refused; nothing for a reader who may only read. */
export function silenceForm({ action, what, reader, refused }: OneSilenceForm): Html | null {
  if (!may(reader, "responder")) return null;
  return html`<details class="act drop" ${isOpen(refused)}>
    <summary class="button">Silence<span class="unseen"> ${what}</span></summary>
    <div class="dropped">
      <form method="post" action="${action}" class="filter" novalidate>
        <input type="hidden" name="form" value="${reader.formToken}" />
        ${silenceFields(refused)}
      </form>
      ${silenceWords(what)}
    </div>
  </details>`;
}

/** Whether the panel of a silence is open as the page opens. */
export const isOpen = (refused: RefusedSilence | null): Html | null =>
  refused === null ? null : html` open`;

/** Silences of now, each with a form that ends it, which leads back to `path`. */
export const silenceNotes = (
  silences: readonly Silence[],
  path: string,
  reader: KnownReader,
  at: EpochMillis,
): readonly Html[] =>
  silences.map(
    ({ id, monitors, until, reason, by }) =>
      html`<div class="notice silenced">
        <p>
          Silenced for ${remainingLength(at, until)} more, by
          ${by}${reason === "" ? null : `: ${reason}`}. It ends at
          <time datetime="${isoTime(until)}">${dayAndTime(until)}</time>.
        </p>
        ${may(reader, "responder") ? endForm({ id, monitors }, path, reader.formToken) : null}
      </div>`,
  );

/** It ends for all that it is about: a person who looks at one of them reads that. */
export const endForm = (
  { id, monitors }: Pick<Silence, "id" | "monitors">,
  path: string,
  token: string,
): Html =>
  html`<form method="post" action="/silences/${id}/end">
    <input type="hidden" name="form" value="${token}" />
    <input type="hidden" name="back" value="${path}" />
    <button type="submit">
      End silence${monitors.length > 1 ? ` of ${counted(monitors.length, "monitor")}` : null}
    </button>
  </form>`;

/** What a silence is for. */
interface SilenceSubject {
  readonly kind: "monitor" | "location";
  readonly ids: readonly (number | string)[];
}

/** Does what the form says, and gives the id of the silence. */
export async function silence(
  rooms: PageRooms,
  { kind, ids }: SilenceSubject,
  { form, reader }: FormRequest,
): Promise<number> {
  const length = lengthIn(form);
  const wanted = {
    monitorIds: kind === "monitor" ? ids.map(String) : [],
    privateLocationIds: kind === "location" ? ids.map(String) : [],
    labels: {},
    until: isoTime(after(rooms.clock.wall(), length)),
    reason: form.get("reason") ?? "",
  };
  return rooms.store.alerts.silences.create(await newSilence(rooms, wanted, actorOf(reader)));
}

/** Does what a form of a silence says; what is wrong in one of its fields is shown there, if its page still has it. */
export async function silenced(
  typed: URLSearchParams,
  act: () => Promise<PageAnswer>,
  again: (refused: RefusedSilence) => Promise<PageAnswer | null>,
): Promise<PageAnswer> {
  try {
    return await act();
  } catch (error) {
    const mistakes = error instanceof Refusal ? withGroupedLimits(error.mistakes) : [];
    const isOfFields = mistakes.every(({ field }) => Object.hasOwn(fieldWords, field));
    if (mistakes.length === 0 || !isOfFields) throw error;
    const page = await again({ typed, mistakes });
    if (page === null) throw error;
    return page;
  }
}

/** How long a form wants nothing to be sent, as it says; null of any other form. */
export function lengthWords(form: URLSearchParams): string | null {
  const named = form.get("length") ?? "";
  const unit = units[form.get("unit") ?? ""]?.words ?? "";
  if (named === "own") return `${form.get("count") ?? ""} ${unit}`.trim();
  return Object.hasOwn(lengths, named) ? (lengths[named]?.words ?? null) : null;
}

/** How long the form wants nothing to be sent: a usual length, or a number with a unit. */
function lengthIn(form: URLSearchParams): Millis {
  const named = form.get("length") ?? "";
  const known = Object.hasOwn(lengths, named) ? lengths[named]?.length : undefined;
  if (known !== undefined) return known;
  const count = form.get("count") ?? "";
  const unit = units[form.get("unit") ?? ""]?.length;
  if (named !== "own" || unit === undefined)
    throw new Refusal(
      "invalid_argument",
      `length must be own, with a count and a unit, or one of ${Object.keys(lengths).join(", ")}`,
    );
  if (!/^\d{1,3}$/.test(count) || Number(count) < 1) throw wrongCount;
  return millis(Number(count) * unit);
}

const countWords = `must be a whole number from 1 to ${limits.silenceCountMax}`;
/** Said as a sentence where no page has the form any more. */
const wrongCount = new Refusal(
  "invalid_argument",
  `${fieldWords.count} ${countWords}`,
  because("invalid_argument", { field: "count" }),
  [{ field: "count", message: countWords }],
);

/** What the pages with these forms say after them. */
export const silenceNotices = {
  unsilenced: "The silence is over: what lasts is sent.",
} as const;
