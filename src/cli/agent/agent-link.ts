import type { AgentOptions } from "#agent/agent-options";
import type { Config } from "#agent/settings/config";
import { signedControlPlane, signedMemory } from "#agent/signing/signed-service";
import { SignedMonitors } from "#agent/signing/signed-monitors";
import type { AssignmentMemory } from "#agent/state/assignment-file";
import { SignedTimes, timesFileName } from "#agent/state/signed-times";
import { filesOfAll, type StateDirectory } from "#agent/state/state-directory";
import { systemClock } from "#base/clock";
import type { Logger } from "#base/log";
import { serviceOf } from "#cli/agent/agent-service";
import { openAuditMemory, openPathMemory } from "#cli/agent/agent-state";

interface LinkParts {
  readonly config: Config;
  readonly state: StateDirectory;
  readonly memory: AssignmentMemory;
  readonly log: Logger;
}

/** An agent's way to its service and what it keeps of it: with trusted keys, both let only signed monitors through. */
export function linkOf(
  { config, state, memory, log }: LinkParts,
  instance: string,
): Pick<
  AgentOptions,
  "memory" | "auditMemory" | "pathMemory" | "controlPlane" | "watch" | "signedOnly"
> {
  const { controlPlane, watch } = serviceOf(config, instance, log);
  const kept = {
    auditMemory: openAuditMemory(config, state),
    pathMemory: openPathMemory(state, log),
  };
  const { signers } = config;
  if (signers === null) return { ...kept, memory, controlPlane, watch, signedOnly: false };
  const file = state.file(timesFileName);
  const others = file === null ? [] : filesOfAll(config.stateDirectory, timesFileName);
  const times = new SignedTimes(file, log, others);
  const signed = new SignedMonitors({ ...signers, times, now: () => systemClock.wall() });
  return {
    ...kept,
    memory: signedMemory(memory, signed),
    controlPlane: signedControlPlane(controlPlane, signed),
    watch,
    signedOnly: true,
  };
}
