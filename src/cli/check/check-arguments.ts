import type { Secrets } from "#agent/secrets/secrets";
import { refuseOtherFamily } from "#cli/check/address-family";
import { type CheckOptions, checkGrammar } from "#cli/check/check-grammar";
import { type CheckSurroundings, readSurroundings } from "#cli/check/check-surroundings";
import { fixedAddressWarnings } from "#cli/check/fixed-address";
import type { CheckedMonitor } from "#cli/check/checked-monitor";
import type { monitorsOfFile } from "#cli/check/file-targets";
import { type Format, formats } from "#cli/check/report/check-report";
import { type Repetition, repetitionOf } from "#cli/check/repetition";
import { typedMonitors } from "#cli/check/typed-monitors";
import { exitCodes } from "#cli/edge/exit-code";
import type { OptionValues } from "#cli/grammar/option";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { UsageError } from "#cli/edge/usage-error";

/** What `picket check` was asked: monitors that are run, how, and how often. */
export interface CheckArguments {
  readonly monitors: readonly CheckedMonitor[];
  readonly repetition: Repetition;
  readonly format: Format;
  readonly explain: boolean;
  readonly surroundings: Omit<CheckSurroundings, "secrets">;
  readonly secrets: Secrets;
}

type CheckReading =
  | { readonly ok: true; readonly arguments: CheckArguments }
  /** Help was asked for, or the file is wrong: what there is to say has been written. */
  | { readonly ok: false; readonly code: number };

/** Reads the arguments. Throws a UsageError that says what is wrong with which of them. */
export async function readCheckArguments(args: readonly string[], io: Io): Promise<CheckReading> {
  const typed = readWords(checkGrammar, args, io);
  if (typed === null) return { ok: false, code: exitCodes.fine };
  const { values, words } = typed;
  const format = formatOf(values);
  const repetition = repetitionOf(values);
  if (values.explain && (format === "junit" || format === "prometheus"))
    throw new UsageError(`--explain cannot be used with the format ${format}`);
  if (values.explain && repetition.times > 1)
    throw new UsageError("--explain shows one check: leave --repeat and --every out");
  const { probing, secrets, warnings } = readSurroundings(values, io.env);
  const monitors =
    values.file === null
      ? typedMonitors(values, words)
      : await fileMonitors(values.file, words, values, io);
  if (monitors === null) return { ok: false, code: exitCodes.failed };
  const targets = monitors.map(({ target }) => target);
  for (const target of targets) refuseOtherFamily(target, values);
  const all = [
    ...warnings,
    ...(values.insecure ? [insecure] : []),
    ...fixedAddressWarnings(targets, probing),
  ];
  const surroundings = { probing, warnings: all };
  const { explain } = values;
  const asked = { monitors, repetition, format, explain, surroundings, secrets: await secrets() };
  return { ok: true, arguments: asked };
}

/** Reads a file only if there is one: an agent has this room in memory, and no need of what reads YAML. */
const fileMonitors: typeof monitorsOfFile = async (...words) => {
  const { monitorsOfFile } = await import("#cli/check/file-targets");
  return monitorsOfFile(...words);
};

const insecure =
  "--insecure: a target's certificate that is not trusted is accepted, so anyone on the network path could answer";

function formatOf({ json, format }: OptionValues<CheckOptions>): Format {
  if (format === null) return json ? "json" : "text";
  if (json && format !== "json")
    throw new UsageError("--json and --format cannot be used together");
  const known = formats.find((one) => one === format);
  if (known === undefined) throw new UsageError(`--format must be one of ${formats.join(", ")}`);
  return known;
}
