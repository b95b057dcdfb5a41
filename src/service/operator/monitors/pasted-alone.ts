import type { Kind } from "#check/monitor";
import { asKind } from "#service/operator/monitors/as-kind";
import { formButtons } from "#service/operator/monitors/monitor-form-view";
import { pastedMonitor, withPasted } from "#service/operator/monitors/pasted-monitor";

interface PastedAlone {
  readonly form: URLSearchParams;
  readonly kind: Kind;
  /** Whether something was pasted that is no target, and nothing else says one. */
  readonly isNoTarget: boolean;
}

/** What was pasted and nothing else: it says the target, without the button that fills it in. */
export function withPastedAlone(form: URLSearchParams, kind: Kind): PastedAlone {
  const text = (form.get(formButtons.paste) ?? "").trim();
  const asks = form.has(formButtons.kind) || form.has(formButtons.fill);
  const hasTarget = ["url", "uri"].some((name) => (form.get(name) ?? "").trim() !== "");
  if (text === "" || asks || hasTarget) return { form, kind, isNoTarget: false };
  const pasted = pastedMonitor(text);
  if (pasted === null) return { form, kind, isNoTarget: true };
  const filled = withPasted(asKind(pasted.kind, kind, form), pasted);
  return { form: filled, kind: pasted.kind, isNoTarget: false };
}
