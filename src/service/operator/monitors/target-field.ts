import { kindTable } from "#check/kinds/kind-table";
import { type Kind, kinds, kindWords } from "#check/monitor";
import { counted } from "#web/page/format";
import { rowCount } from "#service/operator/forms/form-rows";
import { asKind } from "#service/operator/monitors/as-kind";
import {
  type PastedMonitor,
  pastedMonitor,
  withPasted,
} from "#service/operator/monitors/pasted-monitor";

/*
 * The field of the target takes more than its own kind: another kind's address, a name without a scheme, or a whole curl
 * command. What it says goes into the fields of the form.
 */

/** A form after its target was read. */
export interface TargetReading {
  readonly form: URLSearchParams;
  readonly kind: Kind;
  /** What was filled in besides the target; empty: nothing was. */
  readonly filled: string;
}

/** What was typed as the target of a new monitor, in the fields that it is about. */
export function withTarget(form: URLSearchParams, kind: Kind): TargetReading {
  const text = targetIn(form, kind);
  const pasted = isOfKind(text, kind) ? null : pastedMonitor(text);
  if (pasted === null) return { form, kind, filled: "" };
  const filled = withPasted(asKind(pasted.kind, kind, form), pasted);
  return { form: filled, kind: pasted.kind, filled: filledWords(text, kind, pasted, filled) };
}

/** Whether a target can be understood at all. */
export const isTarget = (form: URLSearchParams, kind: Kind): boolean =>
  isOfKind(targetIn(form, kind), kind) || pastedMonitor(targetIn(form, kind)) !== null;

const targetIn = (form: URLSearchParams, kind: Kind): string =>
  (form.get(kind === "http" ? "url" : "uri") ?? "").trim();

/** Whether the field means it as it is. Only a URL has to have its scheme; a curl command is of no kind. */
function isOfKind(text: string, kind: Kind): boolean {
  if (text === "") return true;
  if (/^curl\s/.test(text)) return false;
  if (kind === "http") return /^https?:\/\/\S*$/i.test(text);
  return !kinds.some((one) => one !== kind && kindTable[one].typed.scheme.test(text));
}

function filledWords(
  text: string,
  kind: Kind,
  { kind: to, fields, headers }: PastedMonitor,
  form: URLSearchParams,
): string {
  if (!/^curl\s/.test(text))
    return to === kind ? "" : `This is the target of a monitor of the kind ${kindWords[to].title}.`;
  const parts = [
    fields.get("method") ?? "GET",
    ...(headers.length === 0 ? [] : [counted(rowCount(form, "headers"), "header")]),
    ...((fields.get("body") ?? "") === "" ? [] : ["a body"]),
  ];
  return `Filled in from the curl command: ${parts.join(", ")}.`;
}
