import type { Config } from "#agent/settings/config";
import type { TrustedSigners } from "#agent/settings/trusted-signers";
import { SignedMonitors } from "#agent/signing/signed-monitors";
import { SignedTimes, timesFileName } from "#agent/state/signed-times";
import { filesOfAll } from "#agent/state/state-directory";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { counted } from "#base/text";
import { fine, type Finding, warning } from "#cli/doctor/finding";
import * as wireLimits from "#limits/wire-limits";
import { lastAssignment } from "#cli/doctor/last-assignment";
import type { Assignment } from "#wire/read-assignment";

const about = "signed monitors";
const shownMax = 3;

/** Whose signatures the agent believes, and which monitors of the last assignment it does not run for want of one. */
export async function signingFindings(config: Config): Promise<readonly Finding[]> {
  const { signers } = config;
  if (signers === null) return [];
  const keys = [...signers.keys.values()].map(({ comment, fingerprint }) =>
    comment === "" ? fingerprint : `${comment} (${fingerprint})`,
  );
  const believed = `runs only what is signed for ${signers.location} by ${shown(keys)}`;
  const last = await lastAssignment(config);
  const refused = last === null ? [] : await refusedOf(last, config, signers);
  if (refused.length === 0) return [fine(about, believed)];
  // No more remarks are kept, but there may be more such monitors.
  const least = refused.length < wireLimits.remarksKeptMax ? "" : "at least ";
  return [
    fine(about, believed),
    warning(
      about,
      `${least}${counted(refused.length, "monitor")} of the last assignment ${refused.length === 1 ? "is" : "are"} not run: ${shown(refused, least)}`,
      "sign them with picket apply --sign, by a key that is trusted here",
    ),
  ];
}

async function refusedOf(
  last: Assignment,
  { stateDirectory }: Config,
  signers: TrustedSigners,
): Promise<readonly string[]> {
  // Only read: they are the agent's to write.
  const times = new SignedTimes(null, silentLogger, filesOfAll(stateDirectory, timesFileName));
  const now = (): number => systemClock.wall();
  const { remarks } = await new SignedMonitors({ ...signers, times, now }).admit(last);
  return remarks
    .filter(({ field }) => field === "signature")
    .map(({ monitorName, monitorId, message }) => {
      const [why] = message.split(": the monitor is not run");
      return `${monitorName ?? `monitor ${monitorId}`} (its signature ${why})`;
    });
}

function shown(all: readonly string[], least = ""): string {
  const more = all.length > shownMax ? ` and ${least}${all.length - shownMax} more` : "";
  return `${all.slice(0, shownMax).join(", ")}${more}`;
}
