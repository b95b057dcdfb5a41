import { recordField } from "#check/kinds/dns/asked-question";
import { typedQuestion } from "#check/kinds/dns/typed-question";
import { kindTable } from "#check/kinds/kind-table";
import type { Mistake } from "#check/findings";
import { type Kind, kinds, kindWords } from "#check/monitor";
import { counted } from "#web/page/format";
import { rowCount } from "#service/operator/forms/form-rows";
import { asKind } from "#service/operator/monitors/as-kind";
import { commandFault, isCommand } from "#service/operator/pasted/pasted-command";
import { severalTargets } from "#service/operator/pasted/several-targets";
import { serverAddress } from "#service/operator/pasted/server-address";
import type { PastedMonitor } from "#service/operator/pasted/pasted-fields";
import { pastedMonitor, withPasted } from "#service/operator/pasted/pasted-monitor";

/*
 * The field of the target takes more than its own kind: another kind's address, a name without a scheme, or a whole command
 * of curl, dig, nc and their like. What it says goes into the fields of the form.
 */

/** A form after its target was read. */
export interface TargetReading {
  readonly form: URLSearchParams;
  readonly kind: Kind;
  readonly filled: FillNote;
}

/** What the target filled in. */
export interface FillNote {
  /** As a sentence; empty: nothing was. */
  readonly words: string;
  /** The kind and the target before, if the kind was changed; empty: it was not. */
  readonly undo: string;
  /** A sentence for each part of a command that is not taken over. */
  readonly leftOut: readonly string[];
}

export const nothingFilled: FillNote = { words: "", undo: "", leftOut: [] };

/** The field of a form that says which target is meant as it is: its reading was undone. */
export const asTypedField = "as_typed";

/** The field of a form that keeps which parts of a pasted command are not taken over, after the target they belong to. */
export const leftOutField = "left_out";

/** Which parts of what was pasted are not taken over, as long as its target is in the form; empty: none. */
export function leftOutIn(form: URLSearchParams, kind: Kind): string {
  const kept = form.get(leftOutField) ?? "";
  const target = `${targetIn(form, kind)} `;
  return kept.startsWith(target) ? kept.slice(target.length) : "";
}

/** The form as it was before its target changed the kind; null if `undo` says none. */
export function withoutReading(
  form: URLSearchParams,
  kind: Kind,
  undo: string,
): Omit<TargetReading, "filled"> | null {
  const [, word, text = ""] = /^(\w+) (.*)$/s.exec(undo) ?? [];
  const before = kinds.find((one) => one === word);
  if (before === undefined) return null;
  const typed = asKind(before, kind, form);
  typed.set(targetField(before), text);
  typed.set(asTypedField, text);
  return { form: typed, kind: before };
}

/** What was typed as the target of a new monitor, in the fields that it is about. */
export function withTarget(form: URLSearchParams, kind: Kind): TargetReading {
  const text = targetIn(form, kind);
  const isMeant = isOfKind(text, kind) || form.get(asTypedField) === text;
  const pasted = isMeant || severalTargets(text) !== null ? null : pastedMonitor(text);
  if (pasted === null) return { form, kind, filled: nothingFilled };
  const after = withPasted(asKind(pasted.kind, kind, form), pasted);
  after.set(leftOutField, [targetIn(after, pasted.kind), ...pasted.leftOut].join(" "));
  const filled = {
    words: filledWords(kind, pasted, after),
    undo: pasted.kind === kind ? "" : `${kind} ${text}`,
    leftOut: pasted.leftOut,
  };
  return { form: after, kind: pasted.kind, filled };
}

/** The form as if the text were pasted into its target; an empty one leaves it as it is. */
export function withPaste(form: URLSearchParams, kind: Kind, text: string): TargetReading {
  if (text === "") return { form, kind, filled: nothingFilled };
  const pasted = new URLSearchParams(form);
  pasted.set(targetField(kind), text);
  return withTarget(pasted, kind);
}

/** Whether a target can be understood at all. */
export const isTarget = (form: URLSearchParams, kind: Kind): boolean =>
  isOfKind(targetIn(form, kind), kind) || pastedMonitor(targetIn(form, kind)) !== null;

/** What is wrong, with what is wrong with a command said as such, not as of a URL. */
export function withTargetFault(
  mistakes: readonly Mistake[],
  form: URLSearchParams,
  kind: Kind,
): readonly Mistake[] {
  const text = targetIn(form, kind);
  const field = targetField(kind);
  const several = severalTargets(text);
  if (several !== null)
    return [
      ...mistakes.filter((one) => one.field !== field),
      { field, message: severalWords(several.length) },
    ];
  const message = isUnread(text) ? noTarget(text) : commandFault(text);
  if (message === "") return mistakes;
  return mistakes.map((one) => (one.field === field ? { field, message } : one));
}

/** What is wrong with several addresses as one target, after the name of its field. */
const severalWords = (count: number): string =>
  `has ${count} addresses, and a monitor has one: leave one of them`;

/** Whether words are neither a command that is known nor an address with a space in it. */
const isUnread = (text: string): boolean =>
  /\s/.test(text) && !hasScheme(text) && !isCommand(text) && pastedMonitor(text) === null;

const hasScheme = (text: string): boolean => /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(text);

/** What is wrong with a target that no kind has, after the name of its field. */
export const noTarget = (text: string): string =>
  hasScheme(text)
    ? "must begin with http:// or https://, or be host:port, a name or a command of curl, dig, nc or ping"
    : "cannot be checked: type a URL, host:port, a name or a command of curl, dig, nc or ping";

export const targetIn = (form: URLSearchParams, kind: Kind): string =>
  (form.get(targetField(kind)) ?? "").trim();

/**
 * The form with its target as one line: without a script, Return makes a new line in the field, which is as high as a
 * command needs.
 */
export function withOneLine(form: URLSearchParams, kind: Kind): URLSearchParams {
  const text = targetIn(form, kind);
  if (isCommand(text) || !/[\r\n]/.test(form.get(targetField(kind)) ?? "")) return form;
  if (severalTargets(text) !== null) return form;
  const after = new URLSearchParams(form);
  after.set(targetField(kind), text.replaceAll(/\s*[\r\n]+\s*/g, ""));
  return after;
}

/** The field of a kind that says what is checked. */
export const targetField = (kind: Kind): string => (kind === "http" ? "url" : "uri");

/** Whether the field means it as it is. Only a URL has to have its scheme; a command is of no kind. */
function isOfKind(text: string, kind: Kind): boolean {
  if (text === "") return true;
  if (isCommand(text) || serverAddress(text) !== null) return false;
  if (kind === "http") return /^https?:\/\/\S*$/i.test(text);
  if (kind === "dns" && typedQuestion(text) !== null) return false;
  return !kinds.some((one) => one !== kind && kindTable[one].typed.scheme.test(text));
}

/** What there is to do next. */
const nextStep = (record: string | undefined): string =>
  record === undefined
    ? "Press Enter in the field, or Create monitor, to create it."
    : `Under Assertions, type what the ${record} record has to be.`;

function filledWords(kind: Kind, pasted: PastedMonitor, form: URLSearchParams): string {
  const { kind: to, program, fields, note } = pasted;
  const next = nextStep(fields.get(recordField));
  const taken = partsOf(pasted, form).join(", ");
  const changed =
    to === kind
      ? ""
      : `Changed from ${kindWords[kind].title} to ${kindWords[to].title}, which fits what you typed.`;
  const filled =
    program === ""
      ? plainWords(pasted, changed)
      : `Filled in from the ${program} command${taken === "" ? "" : `: ${taken}`}.`;
  return [program === "" ? "" : changed, filled, note, next].filter((one) => one !== "").join(" ");
}

function plainWords({ kind, fields }: PastedMonitor, changed: string): string {
  if (changed !== "" || kind === "dns") return changed;
  const [scheme] = /^\w+:\/\//.exec(fields.get("url") ?? "") ?? [];
  return scheme === undefined ? "Filled in from what you typed." : `${scheme} was added.`;
}

/** What a command says in addition to its target. */
function partsOf(
  { kind, fields, rows, followRedirects }: PastedMonitor,
  form: URLSearchParams,
): readonly string[] {
  const ofRows = (field: string, one: string): readonly string[] =>
    rows.some((some) => some.field === field && some.values.length > 0)
      ? [counted(rowCount(form, field), one)]
      : [];
  const ofHttp =
    kind === "http"
      ? [
          fields.get("method") ?? "GET",
          ...ofRows("headers", "header"),
          ...((fields.get("body") ?? "") === "" ? [] : ["a body"]),
          followRedirects === true ? "redirects are followed" : "redirects are not followed",
        ]
      : [];
  return [
    ...ofHttp,
    ...(fields.has("packets") ? [counted(Number(fields.get("packets")), "packet")] : []),
    ...(fields.has("timeout") ? [`a timeout of ${fields.get("timeout")}`] : []),
    ...(fields.has("retry") ? [`retries: ${fields.get("retry")}`] : []),
    ...["status_code_assertions", "body_assertions", "json_assertions"].flatMap((field) =>
      ofRows(field, "assertion"),
    ),
  ];
}
