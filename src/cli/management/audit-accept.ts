import path from "node:path";
import { acceptedFileName, auditFileName, readAuditFile } from "#agent/state/audit-file";
import { keptFiles } from "#agent/state/state-directory";
import { stateDirectoryOf } from "#agent/settings/values";
import { showText, thrownText } from "#base/text";
import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { keepText } from "#machine/kept-text";

/** `picket audit accept`: the agents of this state directory take the audit log as their service shows it next. */
export function runAccept({ env, stdout, stderr }: Io): number {
  const directory = stateDirectoryOf(env);
  try {
    const kept = keptFiles(directory, auditFileName, acceptedFileName);
    const known = kept.flatMap(([file, accepted]) => {
      const found = readAuditFile(file);
      return found === null ? [] : [{ ...found, accepted }];
    });
    for (const { head, fault, accepted } of known) {
      keepText(accepted, "");
      const was = fault === null ? "nothing was wrong" : fault.sentence;
      stdout.write(
        `Accepted. The agent knew the audit log up to entry ${head?.number ?? 0}; ${showText(was)}.\n`,
      );
    }
    if (known.length > 0) {
      stdout.write("It takes the log as the service shows it at its next heartbeat.\n");
      return exitCodes.fine;
    }
    stderr.write(
      `picket audit: no agent has kept anything of an audit log in ${showText(path.resolve(directory))}: run this with the agent's PICKET_STATE_DIR\n`,
    );
  } catch (error) {
    stderr.write(`picket audit: ${showText(thrownText(error))}\n`);
  }
  return exitCodes.failed;
}
