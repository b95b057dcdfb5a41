import { parseDuration } from "#base/duration";
import { boundAssertions, typedRule } from "#cli/check/assert-option";
import type { CheckedMonitor } from "#cli/check/checked-monitor";
import type { CheckOptions } from "#cli/check/check-grammar";
import { requestBody } from "#cli/check/request-body";
import { definitionOf, type TargetOptions, wholeTarget } from "#cli/check/typed-target";
import type { OptionValues } from "#cli/grammar/option";
import { UsageError } from "#cli/edge/usage-error";
import type { Assertion } from "#check/assertion";
import { type MonitorDefinition, tcpDefaults } from "#check/definition";
import type { Header } from "#check/monitor";
import { readMonitor } from "#check/read-monitor";
import { showUrl } from "#check/target";

/** The options that say what a typed target is asked and has to answer; a monitors file says it for its monitors. */
export const targetOptionNames = [
  "method",
  "header",
  "user",
  "body",
  "timeout",
  "retry",
  "degraded-at",
  "no-follow",
  "assert",
] as const;
export type TargetOptionValues = Pick<
  OptionValues<CheckOptions>,
  (typeof targetOptionNames)[number]
>;

/** A monitor for each target that was typed. Throws a UsageError that says what is wrong with which. */
export function typedMonitors(
  values: TargetOptionValues,
  words: readonly string[],
): readonly CheckedMonitor[] {
  if (words.length === 0) throw new UsageError("check needs a target, e.g. https://example.com");
  const options = targetOptions(values);
  const bounds = boundAssertions(options.rules);
  return words.map(wholeTarget).map((one) => monitorOf(one, definitionOf(one, options), bounds));
}

function targetOptions(values: TargetOptionValues): TargetOptions {
  const method = values.method ?? "GET";
  return {
    common: {
      name: "check",
      periodicity: "1m",
      timeout: durationOf("--timeout", values.timeout) ?? tcpDefaults.timeout,
      retry: values.retry === null ? 0 : Number(values.retry),
      degradedAt: durationOf("--degraded-at", values["degraded-at"]),
    },
    request: {
      method,
      headers: headersOf(values),
      body: requestBody(values.body ?? "", method),
      followRedirects: !values["no-follow"],
    },
    rules: values.assert.map(typedRule),
  };
}

function monitorOf(
  typed: string,
  definition: MonitorDefinition,
  bounds: readonly Assertion[],
): CheckedMonitor {
  const reading = readMonitor(typed, definition, "management");
  if (reading.is === "runnable") {
    const { monitor } = reading;
    const shown = monitor.kind === "http" ? showUrl(typed) : typed;
    const assertions = [...monitor.assertions, ...bounds];
    // One check has no name but its target.
    return { ...monitor, assertions, name: null, called: shown, shown };
  }
  const wrong = reading.is === "wrong" ? reading.violations : reading.remarks;
  throw new UsageError(wrong.map(({ field, message }) => `${field} ${message}`).join("; "));
}

function durationOf(option: string, text: string | null): number | null {
  if (text === null) return null;
  const duration = parseDuration(text);
  if (duration === null)
    throw new UsageError(`${option} must be a duration such as 500ms or 10s, not "${text}"`);
  return duration;
}

function headersOf({ header, user }: TargetOptionValues): readonly Header[] {
  const headers = header.map(headerOf);
  if (user === null) return headers;
  if (headers.some(({ key }) => key.toLowerCase() === "authorization"))
    throw new UsageError("--user and --header Authorization cannot be used together");
  return [...headers, { key: "Authorization", value: `Basic ${basicOf(user)}` }];
}

function basicOf(user: string): string {
  // It is a secret: the message quotes nothing.
  if (!user.includes(":")) throw new UsageError("--user must be USER:PASSWORD");
  return Buffer.from(user).toString("base64");
}

function headerOf(text: string): Header {
  const [, key, value] = /^([^:]+):\s*(.*)$/s.exec(text) ?? [];
  // The value may be a secret: the message quotes nothing.
  if (key === undefined || value === undefined)
    throw new UsageError("--header must be 'Name: value'");
  return { key: key.trim(), value };
}
