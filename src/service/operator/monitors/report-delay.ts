import { alertPolicyDefault } from "#check/alert-policy";
import { parseDuration } from "#base/duration";
import { millisTyped } from "#service/operator/forms/form-durations";
import { type Millis, millis } from "#base/units";
import * as limits from "#limits/check-limits";
import { lengthOf } from "#web/page/format";

/** What decides how long an outage stays unreported. */
interface Attempts {
  readonly period: Millis;
  readonly timeout: Millis;
  readonly retry: number;
  /** Failed checks in a row that open an incident. */
  readonly failures: number;
}

/** How long an outage can last before it is reported, by what a form says; empty if that is not a number. */
export function reportDelayWords(typed: URLSearchParams): string {
  const attempts = attemptsIn(typed);
  if (attempts === null) return "";
  const { period, timeout, retry } = attempts;
  const refused = about(reportDelay(attempts, millis(0)));
  const silent = about(reportDelay(attempts, timeout));
  const values = `a check every ${lengthOf(period)}, a timeout of ${lengthOf(timeout)} and ${retry === 1 ? "1 retry" : `${retry} retries`}`;
  return `With ${values}, a target that refuses is reported within about ${refused}. One that does not answer is reported within about ${silent}.`;
}

/** To ten seconds up to an hour: two that differ by a timeout read differently. */
function about(delay: Millis): string {
  const step = delay < 60_000 ? 1000 : delay < 3_600_000 ? 10_000 : 60_000;
  return lengthOf(millis(Math.round(delay / step) * step));
}

/** The failure begins right after a check; each attempt takes so long, with the agent's pauses in between. */
function reportDelay({ period, retry, failures }: Attempts, attempt: Millis): Millis {
  const pauses = Array.from(
    { length: retry },
    (_, done) => limits.retryPause * limits.retryPauseGrowth ** done,
  );
  const check = pauses.reduce((sum, pause) => sum + pause, (retry + 1) * attempt);
  // A check that takes longer than its interval leaves slots out.
  const spacing = Math.max(1, Math.ceil(check / period)) * period;
  return millis(Math.round(period + (failures - 1) * spacing + check));
}

function attemptsIn(typed: URLSearchParams): Attempts | null {
  const period = parseDuration(typed.get("periodicity") ?? "");
  const number = (name: string, most: number, usual: number): number | null => {
    const text = (typed.get(name) ?? "").trim();
    if (text === "") return usual;
    return /^\d{1,9}$/.test(text) && Number(text) <= most ? Number(text) : null;
  };
  const timeout = timeoutIn(typed.get("timeout") ?? "");
  const retry = number("retry", limits.retryMax, limits.retryDefault);
  const usualFailures = alertPolicyDefault.failures;
  const failures = number("alerting.failures", Infinity, usualFailures);
  if (period === null || period === 0 || timeout === null || retry === null || failures === null)
    return null;
  return {
    period,
    timeout: millis(timeout === 0 ? limits.timeoutDefault : timeout),
    retry,
    failures: Math.max(1, failures),
  };
}

function timeoutIn(text: string): number | null {
  const read = text.trim() === "" ? limits.timeoutDefault : millisTyped(text);
  return read === null || read < 0 || read > limits.timeoutMax ? null : read;
}
