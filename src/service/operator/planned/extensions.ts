import { html, type Html } from "#web/page/html";
import { Refusal } from "#service/edge/call-refusal";
import { seeOther } from "#service/edge/page-answer";
import { choiceField, ownForm } from "#service/operator/form-fields";
import {
  type KnownReader,
  type OperatorForm,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import { after, hours, type Millis, minutes } from "#base/units";
import { silenceUndoForm, withEndMove } from "#service/operator/planned/silence-undo";

/** By how much a person puts off an end: the rest of some work, of a shift, of a day. */
const lengths: Readonly<Record<string, { readonly length: Millis; readonly words: string }>> = {
  "30m": { length: minutes(30), words: "30 minutes" },
  "1h": { length: hours(1), words: "1 hour" },
  "4h": { length: hours(4), words: "4 hours" },
  "24h": { length: hours(24), words: "1 day" },
};

/**
 * A form that puts off the end of something that lasts, and leads back to `back`; `what` is named for those who hear the
 * button alone.
 */
export const extensionForm = (
  action: string,
  reader: KnownReader,
  what: string,
  back = "/maintenances",
): Html =>
  ownForm(
    action,
    reader,
    html`<input type="hidden" name="back" value="${back}" /> ${choiceField(
        html`<span class="unseen">Extend ${what} by</span>`,
        "length",
        Object.entries(lengths).map(([word, { words }]) => [word, words] as const),
        "1h",
      )} <button type="submit" aria-label="Extend: ${what}">Extend</button>`,
  );

/** By how much a form puts an end off. */
export function lengthIn(form: URLSearchParams): Millis {
  const named = form.get("length") ?? "";
  const length = Object.hasOwn(lengths, named) ? lengths[named]?.length : undefined;
  if (length !== undefined) return length;
  throw new Refusal("invalid_argument", `length must be one of ${Object.keys(lengths).join(", ")}`);
}

/** `/silences/ID/end`: one that has ended meanwhile is as wanted. */
const endSilenceForm: OperatorForm = {
  role: "responder",
  path: /^\/silences\/(?<id>\d{1,15})\/end$/,
  act: async (context, { id, form, reader }) => {
    const { silences } = context.rooms.store.alerts;
    const at = context.rooms.clock.wall();
    const silence = (await silences.list(at)).find((one) => String(one.id) === id);
    const back = wantedPath(form.get("back"));
    const isDone = silence !== undefined && (await silences.end(silence.id, at));
    if (!isDone) return seeOther(withNotice(back, "unsilenced"));
    const move = { id: silence.id, seen: at, to: silence.until };
    return seeOther(await withEndMove(back, "ended", context, reader, move));
  },
};

/** `/silences/ID/extend`: one that has ended meanwhile stays ended. */
const extendSilenceForm: OperatorForm = {
  role: "responder",
  path: /^\/silences\/(?<id>\d{1,15})\/extend$/,
  act: async (context, { id, form, reader }) => {
    const { rooms } = context;
    const { silences } = rooms.store.alerts;
    const length = lengthIn(form);
    const now = rooms.clock.wall();
    const found = async () => (await silences.list(now)).find((one) => String(one.id) === id);
    const silence = await found();
    if (silence === undefined) return seeOther(withNotice(path, "too-late"));
    const seen = after(silence.until, length);
    const isDone = await silences.extend(silence.id, seen, now);
    if (!isDone) return seeOther(withNotice(path, (await found()) ? "lasts" : "too-late"));
    const move = { id: silence.id, seen, to: silence.until };
    return seeOther(await withEndMove(path, "longer", context, reader, move));
  },
};

const path = "/maintenances";

export const extensionForms: readonly OperatorForm[] = [
  endSilenceForm,
  extendSilenceForm,
  silenceUndoForm,
];

/** What the page says after them. */
export const extensionNotices = {
  lasts: "Someone changed its end at the same moment: check when it ends now.",
  "too-late": "It has ended already, so nothing was extended.",
} as const;
