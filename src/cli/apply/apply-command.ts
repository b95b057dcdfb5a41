import { carryOutStep } from "#cli/apply/carry-out";
import { exitCodes } from "#cli/exit-code";
import type { Io } from "#cli/io";
import {
  connectManagement,
  listLocations,
  listMonitors,
  type Management,
} from "#cli/management/management";
import { readMonitorsArgument } from "#cli/apply/monitors-argument";
import { type Plan, planMonitors, type Step } from "#cli/apply/plan";
import { readServiceEnvironment } from "#cli/management/service-environment";
import { serviceFault } from "#cli/management/service-fault";
import { serviceWay } from "#cli/service-way";
import { applyGrammar } from "#cli/apply/apply-grammar";
import { readWords } from "#cli/grammar/read-words";
import { UsageError } from "#cli/usage-error";
import type { PrivateLocationSummary } from "#contract/openstatus/private_location/v1/private_location_pb";
import type { MonitorDefinition } from "#check/definition";
import * as limits from "#limits";
import { showText } from "#text";

/** `picket apply`: reads the file as a whole, shows what will change, changes it. */
export async function runApply(args: readonly string[], io: Io): Promise<number> {
  const options = parseOptions(args, io);
  if (options === null) return exitCodes.fine;
  const service = readServiceEnvironment(io);
  if (service === null) return exitCodes.failed;
  const definitions = await readMonitorsArgument(options.file, false, "Nothing was changed.", io);
  if (definitions === null) return exitCodes.failed;
  const { access, key } = service;
  const management = connectManagement(access.serviceUrl, key, serviceWay(access));
  try {
    return await apply(definitions, options, management, io);
  } catch (error) {
    io.stderr.write(`picket apply: ${serviceFault(error, service)}\n`);
    return exitCodes.failed;
  }
}

interface Options {
  readonly file: string;
  readonly location: string | null;
  readonly dryRun: boolean;
}

function parseOptions(args: readonly string[], io: Io): Options | null {
  const typed = readWords(applyGrammar, args, io);
  if (typed === null) return null;
  const { file, location, "dry-run": dryRun } = typed.values;
  if (file === null) throw new UsageError("the file is missing: -f FILE");
  if (location === "") throw new UsageError("--location needs a name");
  if (location !== null && location.length > limits.nameCharsMax)
    throw new UsageError(`--location is longer than ${limits.nameCharsMax} characters`);
  return { file, location, dryRun };
}

async function apply(
  definitions: readonly MonitorDefinition[],
  options: Options,
  management: Management,
  io: Io,
): Promise<number> {
  const plan = planMonitors(definitions, await listMonitors(management, io.signal));
  const location =
    options.location === null ? null : await findLocation(options.location, management, io);
  const conflicts = [...plan.conflicts, ...(location?.conflicts ?? [])];
  for (const conflict of conflicts) io.stderr.write(`picket apply: ${showText(conflict)}\n`);
  if (conflicts.length > 0) {
    io.stderr.write("Nothing was changed.\n");
    return exitCodes.failed;
  }
  io.stdout.write(showPlan(plan, location));
  if (options.dryRun) {
    io.stdout.write("Nothing was changed (--dry-run).\n");
    return exitCodes.fine;
  }
  const ids = await carryOut(plan, management, io);
  if (location !== null) await assign(location, ids, management, io);
  io.stdout.write("Applied.\n");
  return exitCodes.fine;
}

/** The location of a name, as far as there is one. */
interface Location {
  readonly name: string;
  readonly existing: PrivateLocationSummary | null;
  readonly conflicts: readonly string[];
}

async function findLocation(name: string, management: Management, io: Io): Promise<Location> {
  const all = await listLocations(management, io.signal);
  const named = all.filter((location) => location.name === name);
  const conflict = `The service has ${named.length} private locations named "${name}", so it is not clear which one is meant. Rename or delete all but one.`;
  return { name, existing: named[0] ?? null, conflicts: named.length > 1 ? [conflict] : [] };
}

function showPlan({ steps }: Plan, location: Location | null): string {
  const lines = steps.map((step) => `${signs[step.change]} ${showStep(step)}`);
  if (location !== null)
    lines.push(
      `${location.existing === null ? signs.create : signs.same} private location ${quote(location.name)}`,
    );
  const count = (change: Step["change"]): number =>
    steps.filter((step) => step.change === change).length;
  const summary = `${count("create")} to create, ${count("update")} to update, ${count("same")} the same.`;
  return `${lines.join("\n")}\n${summary}\n`;
}

const signs = { create: "+", update: "~", same: "=" } as const;

function showStep(step: Step): string {
  const { kind, message } = step.wanted;
  const changes = step.change === "update" ? `: ${step.fields.join(", ")}` : "";
  const inactive = message.active ? "" : ' (inactive: "active: true" is missing)';
  return `${kind.padEnd(4)} ${quote(message.name)}${changes}${inactive}`;
}

const quote = (name: string): string => `"${showText(name)}"`;

/** Does the steps in their order and gives the id of each monitor; says how far it came when one fails. */
async function carryOut(plan: Plan, management: Management, io: Io): Promise<readonly string[]> {
  const ids: string[] = [];
  try {
    for (const step of plan.steps) ids.push(await carryOutStep(step, management, io.signal));
    return ids;
  } catch (error) {
    const failed = plan.steps[ids.length];
    if (failed !== undefined)
      io.stderr.write(
        `picket apply: stopped at ${showStep(failed)}; ${ids.length} of ${plan.steps.length} are done. ` +
          "Run the same command again to continue.\n",
      );
    throw error;
  }
}

async function assign(
  { name, existing }: Location,
  ids: readonly string[],
  { locations }: Management,
  io: Io,
): Promise<void> {
  const { signal } = io;
  if (existing === null) {
    const created = await locations.createPrivateLocation(
      { name, monitorIds: [...ids] },
      { signal },
    );
    io.stdout.write(
      `The token of private location ${quote(name)}: ${showText(created.privateLocation?.token ?? "")}\n` +
        "Give it to its agents as PICKET_TOKEN or in the file that PICKET_TOKEN_FILE names.\n",
    );
    return;
  }
  const { id } = existing;
  const { privateLocation } = await locations.getPrivateLocation({ id }, { signal });
  const assigned = privateLocation?.monitorIds ?? [];
  const all = new Set([...assigned, ...ids]);
  if (all.size === assigned.length) return;
  await locations.updatePrivateLocation(
    { id, monitorIds: [...all], updateMonitorIds: true },
    { signal },
  );
}
