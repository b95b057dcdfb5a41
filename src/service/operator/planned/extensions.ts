import { html, type Html } from "#web/page/html";
import { Refusal } from "#service/edge/call-refusal";
import { seeOther } from "#service/edge/page-answer";
import { choiceField, ownForm } from "#service/operator/form-fields";
import { refuseManaged } from "#service/operator/managed-note";
import { type KnownReader, type OperatorForm, withNotice } from "#service/operator/page-request";
import { workAt } from "#service/operator/planned/maintenance-form-answers";
import { isUnderWay } from "#service/operator/planned/work-under-way";
import { after, hours, type Millis, minutes } from "#base/units";

/** By how much a person puts off an end: the rest of some work, of a shift, of a day. */
const lengths: Readonly<Record<string, { readonly length: Millis; readonly words: string }>> = {
  "30m": { length: minutes(30), words: "30 minutes" },
  "1h": { length: hours(1), words: "1 hour" },
  "4h": { length: hours(4), words: "4 hours" },
  "24h": { length: hours(24), words: "1 day" },
};

/** A form that puts off the end of something that lasts; `what` is named for those who hear the button alone. */
export const extensionForm = (action: string, reader: KnownReader, what: string): Html =>
  ownForm(
    action,
    reader,
    html`${choiceField(
        html`<span class="unseen">Extend ${what} by</span>`,
        "length",
        Object.entries(lengths).map(([word, { words }]) => [word, words] as const),
        "1h",
      )} <button type="submit" aria-label="Extend: ${what}">Extend</button>`,
  );

function lengthIn(form: URLSearchParams): Millis {
  const named = form.get("length") ?? "";
  const length = Object.hasOwn(lengths, named) ? lengths[named]?.length : undefined;
  if (length !== undefined) return length;
  throw new Refusal("invalid_argument", `length must be one of ${Object.keys(lengths).join(", ")}`);
}

/** `/silences/ID/extend`: one that has ended meanwhile stays ended. */
const extendSilenceForm: OperatorForm = {
  role: "responder",
  path: /^\/silences\/(?<id>\d{1,15})\/extend$/,
  act: async ({ rooms }, { id, form }) => {
    const { silences } = rooms.store.alerts;
    const length = lengthIn(form);
    const now = rooms.clock.wall();
    const found = async () => (await silences.list(now)).find((one) => String(one.id) === id);
    const silence = await found();
    const isDone =
      silence !== undefined &&
      (await silences.extend(silence.id, after(silence.until, length), now));
    const notice = isDone ? "silent-longer" : (await found()) ? "lasts" : "too-late";
    return seeOther(withNotice("/maintenances", notice));
  },
};

/** `/maintenances/ID/extend`: work that repeats is longer each time, so that is edited. */
const extendWorkForm: OperatorForm = {
  role: "editor",
  path: /^\/maintenances\/(?<id>\d{1,15})\/extend$/,
  act: async (context, { id, form }) => {
    const { clock, store } = context.rooms;
    const row = await workAt(context, id);
    refuseManaged(row);
    const length = lengthIn(form);
    const now = clock.wall();
    if (!isUnderWay(row, now)) return seeOther(withNotice("/maintenances", "too-late"));
    const moved = { seen: row.to, to: after(row.to, length), at: now };
    const isDone = await store.alerts.maintenances.moveEnd(row.id, moved);
    return seeOther(withNotice("/maintenances", isDone ? "longer" : "meanwhile"));
  },
};

export const extensionForms: readonly OperatorForm[] = [extendSilenceForm, extendWorkForm];

/** What the page says after them. */
export const extensionNotices = {
  "silent-longer": "Extended: nothing new is sent until the time below.",
  lasts: "Someone extended it at the same moment: it lasts until the time below.",
  longer: "Extended. Post an update if a status page announced when it ends.",
  meanwhile: "Someone changed its end at the same moment: check the time below.",
  "too-late": "It has ended already, so nothing was extended.",
} as const;
