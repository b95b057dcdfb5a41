import type { Silence } from "#service/alerting/silence";
import { may } from "#service/operator/roles";
import { counted, dayAndTime, isoTime, lengthOf } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import * as checkLimits from "#limits/check-limits";
import { newSilence } from "#service/api/incident-api";
import { Refusal } from "#service/edge/call-refusal";
import * as limits from "#limits/pages-limits";
import { choiceField, textField } from "#service/operator/form-fields";
import { seeOther } from "#service/edge/page-answer";
import {
  actorOf,
  type FormRequest,
  type KnownReader,
  type OperatorForm,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { after, between, type EpochMillis, hours, type Millis, millis, minutes } from "#base/units";

/** How long a person silences something: until a person has looked, or slept. */
const lengths: Readonly<Record<string, { readonly length: Millis; readonly words: string }>> = {
  "30m": { length: minutes(30), words: "30 min" },
  "1h": { length: hours(1), words: "1 hour" },
  "4h": { length: hours(4), words: "4 hours" },
  "24h": { length: hours(24), words: "1 day" },
};
const lengthAtFirst = "1h";

/** Units of a length of one's own. */
const units: Readonly<Record<string, { readonly length: Millis; readonly words: string }>> = {
  m: { length: minutes(1), words: "minutes" },
  h: { length: hours(1), words: "hours" },
  d: { length: hours(24), words: "days" },
};

/** A number with its unit, in view if it is chosen. */
const ownLength: Html = html`<div class="own-length">
  <label
    >Number
    <input
      name="count"
      type="number"
      inputmode="numeric"
      min="1"
      max="${limits.silenceCountMax}"
      value="2"
      autocomplete="off"
  /></label>
  ${choiceField(
    "Unit",
    "unit",
    Object.entries(units).map(([unit, { words }]) => [unit, words] as const),
    "h",
  )}
</div>`;

const lengthChoice = (value: string, words: string): Html =>
  html`<label
    ><input
      type="radio"
      name="length"
      value="${value}"
      ${value === lengthAtFirst ? html` checked` : null}
    />
    ${words}</label
  >`;

/** For how long nothing is to be sent, and why; `action` is where that is sent, if the form is for more. */
export const silenceFields = (action: string | null = null): Html =>
  html`<div class="lengths">
    <fieldset>
      <legend>How long</legend>
      <div class="options">
        ${Object.entries(lengths).map(([value, { words }]) => lengthChoice(value, words))}
        ${lengthChoice("own", "Other…")}
      </div>
    </fieldset>
    ${ownLength}
    ${textField({ words: "Reason (optional)", name: "reason", value: "", charsMax: checkLimits.descriptionCharsMax })}
    <button type="submit" class="main" ${action === null ? null : html` formaction="${action}"`}>
      Silence
    </button>
  </div>`;

export const silenceWords = (what: string): Html =>
  html`<p class="words">
    Nothing new is sent about ${what} for that long; the recovery of what was sent is. Incidents
    still open and close. Those that are still open afterwards are sent then.
  </p>`;

/** A form that silences one thing, sent to `action`; nothing for a reader who may only read. */
export function silenceForm(action: string, what: string, reader: KnownReader): Html | null {
  if (!may(reader, "responder")) return null;
  return html`<details class="act drop">
    <summary class="button">Silence<span class="unseen"> ${what}</span></summary>
    <div class="dropped">
      <form method="post" action="${action}" class="filter" novalidate>
        <input type="hidden" name="form" value="${reader.formToken}" />
        ${silenceFields()}
      </form>
      ${silenceWords(what)}
    </div>
  </details>`;
}

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
          Silenced for ${lengthOf(between(at, until))} more, by
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
  if (!/^\d{1,3}$/.test(count) || Number(count) < 1)
    throw new Refusal(
      "invalid_argument",
      `count must be a whole number from 1 to ${limits.silenceCountMax}`,
    );
  return millis(Number(count) * unit);
}

/** `/silences/ID/end`: one that has ended meanwhile is as wanted. */
export const endSilenceForm: OperatorForm = {
  role: "responder",
  path: /^\/silences\/(?<id>\d{1,15})\/end$/,
  act: async ({ rooms }, { id, form }) => {
    await rooms.store.alerts.silences.end(Number(id), rooms.clock.wall());
    return seeOther(withNotice(wantedPath(form.get("back")), "unsilenced"));
  },
};

/** What the pages with these forms say after them. */
export const silenceNotices = {
  silenced: "Silenced: nothing new is sent until the time below. Incidents still open and close.",
  unsilenced: "The silence is over: what lasts is sent.",
} as const;
