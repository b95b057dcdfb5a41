import { parseDuration } from "#duration";
import { refuseOtherFamily } from "#cli/check/address-family";
import { typedRule } from "#cli/check/assert-option";
import { type CheckOptions, checkGrammar } from "#cli/check/check-grammar";
import { type CheckSurroundings, readSurroundings } from "#cli/check/check-surroundings";
import { requestBody } from "#cli/check/request-body";
import { definitionOf, type TargetOptions, wholeTarget } from "#cli/check/typed-target";
import { fixedAddressWarnings } from "#cli/check/fixed-address";
import type { OptionValues } from "#cli/grammar/option";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/io";
import { UsageError } from "#cli/usage-error";
import { type MonitorDefinition, tcpDefaults } from "#check/definition";
import type { Header, RunnableMonitor } from "#check/monitor";
import { readMonitor } from "#check/read-monitor";

/** What `picket check` was asked: monitors that are run once each, and how. */
export interface CheckArguments {
  readonly monitors: readonly CheckedMonitor[];
  readonly json: boolean;
  readonly explain: boolean;
  readonly surroundings: CheckSurroundings;
}

export interface CheckedMonitor extends RunnableMonitor {
  /** The target as it was typed. */
  readonly typed: string;
}

/** Reads the arguments; null where help was asked for. Throws a UsageError that says what is wrong with which of them. */
export function parseCheckArguments(args: readonly string[], io: Io): CheckArguments | null {
  const typed = readWords(checkGrammar, args, io);
  if (typed === null) return null;
  const { values, words } = typed;
  if (words.length === 0) throw new UsageError("check needs a target, e.g. https://example.com");
  const options = targetOptions(values);
  const monitors = words.map(wholeTarget).map((one) => monitorOf(one, definitionOf(one, options)));
  const targets = monitors.map(({ target }) => target);
  for (const target of targets) refuseOtherFamily(target, values);
  const { probing, warnings } = readSurroundings(values, io.env);
  return {
    monitors,
    json: values.json,
    explain: values.explain,
    surroundings: {
      probing,
      warnings: [
        ...warnings,
        ...(values.insecure ? [insecure] : []),
        ...fixedAddressWarnings(targets, probing),
      ],
    },
  };
}

const insecure =
  "--insecure: a target's certificate that is not trusted is accepted, so whoever is on the way may answer";

type Values = OptionValues<CheckOptions>;

function targetOptions(values: Values): TargetOptions {
  const method = values.method ?? "GET";
  return {
    common: {
      name: "check",
      periodicity: "1m",
      timeout: durationOf("--timeout", values.timeout) ?? tcpDefaults.timeout,
      retry: values.retry === null ? 0 : Number(values.retry),
      degradedAt: durationOf("--degraded-at", values["degraded-at"]),
    },
    http: {
      method,
      headers: headersOf(values),
      body: requestBody(values.body ?? "", method),
      followRedirects: !values["no-follow"],
    },
    rules: values.assert.map(typedRule),
  };
}

function monitorOf(typed: string, definition: MonitorDefinition): CheckedMonitor {
  const reading = readMonitor(typed, definition, "management");
  // One check has no name but its target.
  if (reading.is === "runnable") return { ...reading.monitor, name: null, typed };
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

function headersOf({ header, user }: Values): readonly Header[] {
  const headers = header.map(headerOf);
  if (user === null) return headers;
  if (headers.some(({ key }) => key.toLowerCase() === "authorization"))
    throw new UsageError("--user and --header Authorization exclude each other");
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
