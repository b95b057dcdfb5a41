import { readConfigurationArgument } from "#cli/apply/configuration-argument";
import type { CheckedMonitor } from "#cli/check/checked-monitor";
import { type TargetOptionValues, targetOptionNames } from "#cli/check/typed-monitors";
import type { Io } from "#cli/edge/io";
import { UsageError } from "#cli/edge/usage-error";
import type { MonitorDefinition } from "#check/definition";
import { readMonitor } from "#check/read-monitor";
import { shownTarget } from "#check/shown-target";
import { nearest } from "#base/nearest";
import { counted, showText } from "#base/text";

/**
 * The monitors of a file, or those of these names; without names, those that the file calls inactive are left out. Null
 * if the file is wrong, which has been written then. Throws a UsageError for a name that the file does not have.
 */
export async function monitorsOfFile(
  file: string,
  names: readonly string[],
  options: TargetOptionValues,
  io: Io,
): Promise<readonly CheckedMonitor[] | null> {
  refuseTargetOptions(options);
  const read = await readConfigurationArgument([file], true, "Nothing was checked.", io);
  if (read === null) return null;
  const all = read.monitors;
  if (names.length > 0) return namedIn(all, names, file).flatMap(checked);
  const active = all.filter((one) => one.active);
  const left = all.length - active.length;
  if (left > 0)
    io.stderr.write(
      `picket check: ${counted(left, "monitor")} of ${showText(file)} with active: false ${left === 1 ? "is" : "are"} left out: name those that you want to check anyway\n`,
    );
  return active.flatMap(checked);
}

function refuseTargetOptions(options: TargetOptionValues): void {
  const given = targetOptionNames.find((name) => {
    const value = options[name];
    return typeof value === "object" && value !== null ? value.length > 0 : Boolean(value);
  });
  if (given !== undefined)
    throw new UsageError(
      `--${given} is only for targets on the command line: a file sets it for each monitor`,
    );
}

function namedIn(
  all: readonly MonitorDefinition[],
  names: readonly string[],
  file: string,
): readonly MonitorDefinition[] {
  const known = new Set(all.map(({ name }) => name));
  const unknown = names.find((name) => !known.has(name));
  if (unknown === undefined) return all.filter(({ name }) => names.includes(name));
  const meant = nearest(unknown, known);
  const hint = meant === null ? "" : `; did you mean "${meant}"?`;
  throw new UsageError(`${file} has no monitor named "${unknown}"${hint}`);
}

/** The file was judged by the same rules when it was read, so each of its monitors can be run. */
function checked(definition: MonitorDefinition): readonly CheckedMonitor[] {
  const { kind, name } = definition;
  const reading = readMonitor(`${kind} ${name}`, definition, "management");
  if (reading.is !== "runnable") return [];
  const { monitor } = reading;
  return [{ ...monitor, called: name, shown: shownTarget(monitor) }];
}
