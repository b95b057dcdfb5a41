import { applyGrammar, planGrammar } from "#cli/apply/apply-grammar";
import { readConfigurationArgument } from "#cli/apply/configuration-argument";
import { configurationMessage } from "#cli/apply/configuration-message";
import { domainWarnings } from "#cli/apply/domain-warnings";
import { systemLookUp } from "#service/status-site/domain-look-up";
import { pageWarnings } from "#cli/apply/page-warnings";
import { compareWithPlan, readPlanFile, writePlanFile } from "#cli/apply/plan-file";
import type { Configuration as ReadConfiguration } from "#cli/apply/configuration";
import { signedConfiguration } from "#cli/apply/signed-configuration";
import { readSigningKey } from "#cli/apply/signing-key";
import { planJson, quote, shownPlan, unheardLine } from "#cli/apply/shown-plan";
import { confirms } from "#cli/edge/confirm";
import { exitCodes } from "#cli/edge/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import type { Management } from "#cli/management/management";
import { CannotDo, withService } from "#cli/management/with-service";
import { whileWorking } from "#cli/edge/progress";
import { terminalOf } from "#cli/edge/terminal";
import { UsageError } from "#cli/edge/usage-error";
import { systemClock } from "#base/clock";
import type {
  Configuration,
  PlanConfigurationResponse,
} from "#contract/picket/v1/configuration_pb";
import * as checkLimits from "#limits/check-limits";
import * as wireLimits from "#limits/wire-limits";
import { counted, showText } from "#base/text";

/** `picket plan`: what would change, and the exit code says whether anything would. */
export async function runPlan(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(planGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values } = typed;
  return withPlan("plan", values, io, async ({ plan, unsigned }) => {
    io.stdout.write(
      values.json
        ? `${JSON.stringify(planJson(plan))}\n`
        : shownTo(io, plan, values.verbose) + unheardLine(plan),
    );
    const { file: files, owner, location, prune, out } = values;
    if (out !== null)
      writePlanFile(out, { files, owner, location, prune, revision: plan.revision }, unsigned);
    return isChange(plan) ? exitCodes.changes : exitCodes.fine;
  });
}

/** `picket apply`: reads the files as a whole, shows what will change, and has the service make all of it or nothing. */
export async function runApply(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(applyGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values, words } = typed;
  const [planned, ...more] = words;
  if (more.length > 0) throw new UsageError("apply takes one PLAN");
  if (planned !== undefined && values.file.length > 0)
    throw new UsageError("apply takes a PLAN or -f FILE, not both: the plan names its files");
  const kept = planned === undefined ? null : readPlanFile(planned);
  const { sign } = values;
  const chosen = kept === null ? values : { ...kept, file: kept.files, sign };
  return withPlan("apply", chosen, io, async ({ plan, configuration, unsigned, management }) => {
    if (kept !== null) compareWithPlan(kept, unsigned);
    if (kept !== null && kept.revision !== plan.revision)
      throw new CannotDo(
        "the service has changed since the plan was made: plan again. Nothing was changed.",
      );
    if (!values.json) io.stdout.write(shownTo(io, plan, values.verbose));
    if (values["dry-run"]) {
      io.stdout.write("Nothing was changed (--dry-run).\n");
      return exitCodes.fine;
    }
    if (!values.yes && !(await agrees(plan, io))) {
      io.stderr.write("Nothing was changed.\n");
      return exitCodes.failed;
    }
    const { prune } = chosen;
    return carryOut({ plan, configuration, management, prune, json: values.json }, io);
  });
}

interface Chosen {
  readonly file: readonly string[];
  readonly owner: string | null;
  readonly location: string | null;
  readonly prune: boolean;
  readonly sign: string | null;
}

interface PlanScene {
  readonly plan: PlanConfigurationResponse;
  readonly configuration: Configuration;
  /** As the files say it: a signature is another one each time. */
  readonly unsigned: Configuration;
  readonly management: Management;
}

/** Files first, then the service: what is wrong with them is said without any call. */
async function withPlan(
  command: "plan" | "apply",
  { file, owner, location, prune, sign }: Chosen,
  io: Io,
  act: (planned: PlanScene) => Promise<number>,
): Promise<number> {
  if (file.length === 0) throw new UsageError("the file is missing: -f FILE");
  for (const [option, name] of Object.entries({ location, owner })) {
    if (name === "") throw new UsageError(`--${option} needs a name`);
    if (name !== null && name.length > checkLimits.nameCharsMax)
      throw new UsageError(`--${option} is longer than ${checkLimits.nameCharsMax} characters`);
  }
  return withService(command, io, async (management, serviceUrl) => {
    const undone = command === "plan" ? "Nothing was compared." : "Nothing was changed.";
    const read = await readConfigurationArgument(file, false, undone, io);
    if (read === null) return exitCodes.failed;
    const of = owner ?? read.owner;
    if (prune && of === "")
      throw new UsageError("--prune needs an owner: write owner: NAME in a file, or --owner NAME");
    const unsigned = configurationMessage(read, of, location);
    const configuration = configurationMessage(signed(read, location, sign, io), of, location);
    const tools = { clock: systemClock, lookUp: systemLookUp };
    const domains = domainWarnings(read.pages, serviceUrl, tools);
    const plan = await whileWorking("Comparing with the service", io, () =>
      management.configuration.planConfiguration({ configuration, prune }, callOptions(io)),
    );
    for (const warning of [...pageWarnings(read.pages), ...(await domains), ...plan.warnings])
      io.stderr.write(`picket ${command}: warning: ${showText(warning)}\n`);
    for (const conflict of plan.conflicts)
      io.stderr.write(`picket ${command}: ${showText(conflict)}\n`);
    if (plan.conflicts.length === 0) return act({ plan, configuration, unsigned, management });
    io.stderr.write(`${undone}\n`);
    return exitCodes.failed;
  });
}

function signed(read: ReadConfiguration, location: string | null, sign: string | null, io: Io) {
  if (sign === null) return read;
  const key = readSigningKey(sign, io.env);
  return signedConfiguration(read, location, key, systemClock.wall());
}

/** Ten thousand monitors take seconds. */
const callOptions = ({ signal }: Io) => ({
  signal,
  timeoutMs: wireLimits.configurationCallTimeout,
});

/** What loses history is asked about. */
async function agrees({ changes }: PlanConfigurationResponse, io: Io): Promise<boolean> {
  const lost = changes.filter(({ action }) => action === "delete" || action === "replace");
  if (lost.length === 0) return true;
  return confirms(`${counted(lost.length, "object")} will go, with their history.`, io);
}

async function carryOut(
  {
    plan,
    configuration,
    management,
    prune,
    json,
  }: Omit<PlanScene, "unsigned"> & { readonly prune: boolean; readonly json: boolean },
  io: Io,
): Promise<number> {
  const { revision } = plan;
  const count = plan.changes.filter(({ action }) => action !== "same").length;
  const { tokens } = await whileWorking(`Applying ${counted(count, "change")}`, io, () =>
    management.configuration.applyConfiguration(
      { configuration, prune, revision },
      callOptions(io),
    ),
  );
  if (json) {
    const made = tokens.map(({ name, token }) => ({ name, token }));
    io.stdout.write(`${JSON.stringify({ ...planJson(plan), tokens: made })}\n`);
    return exitCodes.fine;
  }
  for (const { name, token } of tokens)
    io.stdout.write(
      `The token of private location ${quote(name)}: ${showText(token)}\n` +
        "Give it to its agents as PICKET_TOKEN or in the file that PICKET_TOKEN_FILE names.\n",
    );
  io.stdout.write(`Applied.\n${unheardLine(plan)}`);
  return exitCodes.fine;
}

const shownTo = (io: Io, plan: PlanConfigurationResponse, verbose: boolean): string =>
  shownPlan(plan, { verbose, colour: terminalOf(io).colour });

const isChange = ({ changes }: PlanConfigurationResponse): boolean =>
  changes.some(({ action }) => action !== "same");
