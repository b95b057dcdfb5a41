import { applyGrammar, planGrammar } from "#cli/apply/apply-grammar";
import { carryOutStep } from "#cli/apply/carry-out";
import { carryOutLocation } from "#cli/apply/carry-out-location";
import { compare, type Comparison, isChange } from "#cli/apply/comparison";
import { readConfigurationArgument } from "#cli/apply/configuration-argument";
import { planJson, showStep, shownPlan } from "#cli/apply/shown-plan";
import { exitCodes } from "#cli/exit-code";
import type { OptionsOf, OptionValues } from "#cli/grammar/option";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/io";
import type { Management } from "#cli/management/management";
import { withService } from "#cli/management/with-service";
import { terminalOf } from "#cli/terminal";
import { UsageError } from "#cli/usage-error";
import type { MonitorDefinition } from "#check/definition";
import * as limits from "#limits/check-limits";
import { showText } from "#text";

/** `picket plan`: what would change, and the exit code says whether anything would. */
export async function runPlan(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(planGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values } = typed;
  return withComparison("plan", values, io, async (comparison) => {
    const { colour } = terminalOf(io);
    io.stdout.write(
      values.json
        ? `${JSON.stringify(planJson(comparison))}\n`
        : shownPlan(comparison, { verbose: values.verbose, colour }),
    );
    return isChange(comparison) ? exitCodes.changes : exitCodes.fine;
  });
}

/** `picket apply`: reads the files as a whole, shows what will change, changes it. */
export async function runApply(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(applyGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values } = typed;
  return withComparison("apply", values, io, async (comparison, management) => {
    const { colour } = terminalOf(io);
    io.stdout.write(shownPlan(comparison, { verbose: values.verbose, colour }));
    if (values["dry-run"]) {
      io.stdout.write("Nothing was changed (--dry-run).\n");
      return exitCodes.fine;
    }
    await carryOut(comparison, management, io);
    io.stdout.write("Applied.\n");
    return exitCodes.fine;
  });
}

type ComparisonOptions = Pick<
  OptionValues<OptionsOf<never, "location", "file">>,
  "location" | "file"
>;

/** Files first, then the service: what is wrong with them is said without any call. */
async function withComparison(
  command: "plan" | "apply",
  { file, location }: ComparisonOptions,
  io: Io,
  act: (comparison: Comparison, management: Management) => Promise<number>,
): Promise<number> {
  if (file.length === 0) throw new UsageError("the file is missing: -f FILE");
  if (location === "") throw new UsageError("--location needs a name");
  if (location !== null && location.length > limits.nameCharsMax)
    throw new UsageError(`--location is longer than ${limits.nameCharsMax} characters`);
  return withService(command, io, async (management) => {
    const undone = command === "plan" ? "Nothing was compared." : "Nothing was changed.";
    const configuration = await readConfigurationArgument(file, false, undone, io);
    if (configuration === null) return exitCodes.failed;
    if (configuration.channels.length > 0)
      throw new UsageError(`picket ${command} takes no notifications yet; picket up does`);
    const comparison = await compare(configuration, location, management, io.signal);
    for (const conflict of comparison.conflicts)
      io.stderr.write(`picket ${command}: ${showText(conflict)}\n`);
    if (comparison.conflicts.length === 0) return act(comparison, management);
    io.stderr.write(`${undone}\n`);
    return exitCodes.failed;
  });
}

/** Monitors first: locations name them. Says how far it came when a step fails, and on a terminal meanwhile. */
async function carryOut(
  { steps, locationSteps, existing }: Comparison,
  management: Management,
  io: Io,
): Promise<void> {
  const ids = new Map<string, string>();
  const progress = progressOn(io, steps.length);
  for (const [done, step] of steps.entries())
    try {
      progress(done);
      ids.set(keyOf(step.definition), await carryOutStep(step, management, io.signal));
    } catch (error) {
      progress(steps.length);
      io.stderr.write(
        `picket apply: stopped at ${showStep(step)}; ${done} of ${steps.length} are done. ` +
          "Run the same command again to continue.\n",
      );
      throw error;
    }
  progress(steps.length);
  const idOf = (monitor: MonitorDefinition): string => ids.get(keyOf(monitor)) ?? "";
  for (const step of locationSteps)
    await carryOutLocation(step, idOf, existing.monitors, management, io);
}

const keyOf = ({ kind, name }: MonitorDefinition): string => `${kind} ${name}`;

/** A line that counts, drawn over itself, and gone at the end; nothing where no person looks. */
const progressOn =
  ({ stderr, interactive }: Io, all: number) =>
  (done: number): void => {
    if (!interactive || (done % progressEvery !== 0 && done !== all)) return;
    stderr.write(done === all ? "\r\x1b[K" : `\r\x1b[K${done} of ${all} monitors`);
  };

const progressEvery = 10;
