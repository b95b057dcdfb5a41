import { shownDuration } from "#base/duration";
import { timeoutDefault } from "#limits/check-limits";
import { millisTyped } from "#service/operator/forms/form-durations";

/** The timeout of a form whose threshold no check can be above, since it fails before; null of any other threshold. */
export function timeoutBefore(typed: URLSearchParams): string | null {
  const slow = millisTyped(typed.get("degraded_at") ?? "");
  const text = (typed.get("timeout") ?? "").trim();
  const timeout = text === "" ? timeoutDefault : millisTyped(text);
  const isNever = slow !== null && timeout !== null && timeout > 0 && slow >= timeout;
  return isNever ? shownDuration(timeout) : null;
}

/** What is said at the field of such a threshold. Calls and files may have one. */
export function thresholdNotes(typed: URLSearchParams): Readonly<Record<string, string>> {
  const timeout = timeoutBefore(typed);
  return timeout === null
    ? {}
    : {
        degraded_at: `No check is degraded by this: it fails at the timeout of ${timeout}. Choose less than that.`,
      };
}
