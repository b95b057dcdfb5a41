import type { Mistake } from "#check/findings";
import type { Kind } from "#check/monitor";
import { monitorsMadeAtOnce } from "#limits/lines-limits";
import { Refusal } from "#service/edge/call-refusal";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { durationMistakes, withTimesAgain } from "#service/operator/forms/form-durations";
import { withoutEmptyRows } from "#service/operator/forms/form-rows";
import type { FormState } from "#service/operator/forms/form-group";
import { isShownAgain } from "#service/operator/forms/form-submission";
import { KeptForms } from "#service/operator/kept-forms";
import { losesTyped, tryField } from "#service/operator/monitors/as-kind";
import {
  areKnown,
  asRemarks,
  noRemarks,
  type SaveRemarks,
} from "#service/operator/monitors/before-saving";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";
import {
  mistakesIn,
  placedMonitor,
  type Subject,
  unreadRemarks,
} from "#service/operator/monitors/form-subject";
import { keepUndoing, undoingMade } from "#service/operator/monitors/many-undo";
import { placesFrom } from "#service/operator/monitors/monitor-places";
import {
  targetField,
  targetIn,
  withTarget,
  withTargetFault,
} from "#service/operator/monitors/target-field";
import { inForm, type TypedMonitor } from "#service/operator/monitors/typed-monitor";
import {
  type FormRequest,
  type PageContext,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import { severalTargets } from "#service/operator/pasted/several-targets";
import { severalField } from "#service/operator/pasted/several-offer";

/** A form whose target is a list, as it was sent. */
interface SentList {
  readonly form: URLSearchParams;
  readonly kind: Kind;
  readonly subject: Subject;
}

/** What became of it: they are made, or the form is shown with what is wrong or is to be read first. */
type SeveralAnswer =
  | { readonly is: "made"; readonly answer: PageAnswer }
  | { readonly is: "shown"; readonly answer: ShownAnswer };

type ShownAnswer = [state: FormState, status: number, said: { readonly remarks: SaveRemarks }];

/** The addresses of a new monitor's form that has several; null: it has one, or none. */
const severalIn = (form: URLSearchParams, kind: Kind, { row }: Subject): readonly string[] | null =>
  row === null ? severalTargets(targetIn(form, kind)) : null;

/** How many monitors a form is to make, and what else is wrong with it; 0: it has one address, or none. */
export async function severalOf(
  context: PageContext,
  kind: Kind,
  form: URLSearchParams,
  subject: Subject,
): Promise<{ readonly several: number; readonly wrong: readonly Mistake[] }> {
  const several = severalIn(form, kind, subject)?.length ?? 0;
  const wrong = await mistakesIn(context, kind, form, subject);
  const isOther = ({ field }: Mistake): boolean => field !== targetField(kind);
  const isMade = several > 0 && several <= monitorsMadeAtOnce;
  return { several, wrong: isMade ? wrong.filter(isOther) : wrong };
}

/**
 * Makes a monitor of each address with the settings of the form: of all of them, or of none if one is wrong. Null if the
 * form has one address, or is only shown again.
 */
export async function severalMonitors(
  context: PageContext,
  request: FormRequest,
  list: SentList,
): Promise<SeveralAnswer | null> {
  const { form, kind, subject } = list;
  const targets = severalIn(form, kind, subject);
  if (targets === null || isShownAgain(form) || keepers.some((name) => form.has(name))) return null;
  const field = targetField(kind);
  const shown = (
    mistakes: readonly Mistake[],
    status: number,
    remarks = noRemarks,
  ): SeveralAnswer => ({
    is: "shown",
    answer: [{ typed: form, mistakes }, status, { remarks }],
  });
  if (form.has("fill")) return shown([], 200);
  const message = notYet(form, targets.length);
  if (message !== "") return shown([{ field, message }], 422);
  const monitors: TypedMonitor[] = [];
  const said: SaveRemarks[] = [];
  for (const [index, target] of targets.entries()) {
    const names = new Set(monitors.map(({ definition }) => definition.name));
    const one = await readOne(context, list, target, names);
    if ("mistakes" in one)
      return shown(
        one.mistakes.map((wrong) => named(wrong, field, index, target)),
        422,
      );
    monitors.push(one.monitor);
    said.push(one.remarks);
  }
  const remarks = together(said);
  if (!areKnown(remarks, form)) return shown([], 200, remarks);
  return { is: "made", answer: await made(context, request, list, monitors) };
}

/** Buttons that choose another kind, or take back what was filled in. */
const keepers = ["to", "unfill"];

/** Why they are not made yet, after the name of the field; empty: the person saw how many they are, and wants them. */
function notYet(form: URLSearchParams, count: number): string {
  if (count > monitorsMadeAtOnce)
    return `has ${count} addresses, and one form creates ${monitorsMadeAtOnce} monitors at most`;
  if (form.has(tryField))
    return `has ${count} addresses, and one is tried at a time: leave one of them`;
  return form.get(severalField) === String(count)
    ? ""
    : `has ${count} addresses, and a monitor has one: press Create ${count} monitors, or leave one of them`;
}

type ReadOne =
  | { readonly monitor: TypedMonitor; readonly remarks: SaveRemarks }
  | { readonly mistakes: readonly Mistake[] };

/** One monitor of the list, named after its target. */
async function readOne(
  context: PageContext,
  { form, kind: before, subject }: SentList,
  target: string,
  names: ReadonlySet<string>,
): Promise<ReadOne> {
  const alone = new URLSearchParams(form);
  alone.set(targetField(before), target);
  alone.delete("name");
  const { kind, form: read, filled } = withTarget(alone, before);
  if (kind !== before && losesTyped(kind, before, alone))
    return { mistakes: [{ field: targetField(before), message: otherKind }] };
  const fields = monitorFields(kind);
  const typed = withoutEmptyRows(fields, withTimesAgain(fields, read));
  try {
    const monitor = await placedMonitor(context, kind, typed, subject, names);
    const unread = await unreadRemarks(context, form, monitor, subject, filled.leftOut);
    return { monitor, remarks: unread?.remarks ?? noRemarks };
  } catch (error) {
    const refusal = inForm(error);
    if (!(refusal instanceof Refusal) || refusal.code === "not_found") throw refusal;
    const { mistakes, message } = refusal;
    const all = mistakes.length > 0 ? mistakes : [{ field: "", message }];
    return { mistakes: withTargetFault(durationMistakes(fields, typed, all), read, kind) };
  }
}

const otherKind = "is of another kind, which has no field for some of what you typed";

/** What is wrong with the target of one says which one it is. */
const named = (wrong: Mistake, field: string, index: number, target: string): Mistake =>
  ["url", "uri", "name"].includes(wrong.field)
    ? {
        field,
        message: `has a wrong address, number ${index + 1}, “${target.slice(0, shownChars)}”: it ${wrong.message}`,
      }
    : wrong;

/** As much of an address as says which line it is. */
const shownChars = 80;

/** What is to be known of all of them, each sentence once. */
function together(all: readonly SaveRemarks[]): SaveRemarks {
  const sentences = [...new Set(all.flatMap(({ remarks }) => remarks))];
  const namesake = all.find((one) => one.namesake !== null)?.namesake ?? null;
  return asRemarks(sentences, namesake);
}

/** The list of monitors, which says what was made and offers its undo. */
async function made(
  { rooms }: PageContext,
  { reader }: FormRequest,
  { subject }: SentList,
  monitors: readonly TypedMonitor[],
): Promise<PageAnswer> {
  const ids = await rooms.monitors.createEach(
    monitors.map(({ definition, ...places }) => ({
      definition,
      places: placesFrom(places, { locations: [], channels: [] }),
    })),
    "management",
  );
  const undo = await keepUndoing(new KeptForms(rooms), reader, undoingMade(ids));
  if (subject.next !== "") return seeOther(wantedPath(subject.next));
  return seeOther(`${withNotice("/", `created.${ids.length}.0`)}&undo=${undo ?? ""}`);
}
