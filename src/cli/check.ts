import { startInlineProber } from "#agent/inline-prober";
import type { Prober, ProberOptions } from "#agent/prober";
import { runCheck as runOneCheck } from "#agent/run-check";
import { type CheckArguments, checkHelp, parseCheckArguments } from "#cli/check-arguments";
import { resultJson } from "#cli/check-json";
import { exitCodes } from "#cli/exit-code";
import type { Io } from "#cli/io";
import { UsageError } from "#cli/usage-error";
import { waterfall } from "#cli/waterfall";
import { systemClock } from "#clock";
import * as limits from "#limits";
import { silentLogger } from "#log";
import type { Result } from "#result";
import { epochMillis } from "#units";
import { version } from "#cli/version";

/** `picket check`: each target once, now; the same check that the agent runs at a slot. */
export async function runCheck(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseCheckArguments(args, io.env);
  if (parsed === null) {
    io.stdout.write(checkHelp);
    return exitCodes.fine;
  }
  await using prober = await proberFor(parsed);
  const tools = { prober, clock: systemClock, log: silentLogger, chance: Math.random };
  const colour = io.interactive && (io.env["NO_COLOR"] ?? "") === "";
  let worst: number = exitCodes.fine;
  for (const monitor of parsed.monitors) {
    const slot = { monitor, at: systemClock.wall(), until: never };
    const result = await runOneCheck(slot, tools, io.signal);
    if (result === null) return exitCodes.failed;
    io.stdout.write(
      parsed.json
        ? `${JSON.stringify(resultJson(monitor.typed, result, result.failure?.message ?? ""))}\n`
        : waterfall(monitor.typed, result, colour),
    );
    worst = worse(worst, codeOf(result));
  }
  return worst;
}

/** The only thing that can go wrong is the CA file. */
async function proberFor(parsed: CheckArguments): Promise<Prober> {
  try {
    return await startInlineProber(proberOptions(parsed));
  } catch (error) {
    const why = Error.isError(error) ? error.message : String(error);
    throw new UsageError(`--ca ${parsed.caFile ?? ""} cannot be used: ${why}`);
  }
}

/** A check by hand has no next slot that its retries would have to make room for. */
const never = epochMillis(Number.MAX_SAFE_INTEGER);

const proberOptions = ({
  caFile,
  ipFamily,
  resolver,
  targetRules,
  proxying,
  http2,
}: CheckArguments): ProberOptions => ({
  caFile,
  ipFamily,
  resolver,
  targetRules,
  proxying,
  http2,
  kernelClock: true,
  nameServers: [],
  bodyBytesMax: limits.responseBodyBytesDefault,
  userAgent: `picket/${version()}`,
});

function codeOf({ status }: Result): number {
  switch (status) {
    case "success":
      return exitCodes.fine;
    case "degraded":
      return exitCodes.degraded;
    case "error":
      return exitCodes.failed;
  }
}

/** An error outweighs degraded, though its number is smaller. */
function worse(a: number, b: number): number {
  const order = [exitCodes.fine, exitCodes.degraded, exitCodes.failed];
  return order.findIndex((code) => code === a) >= order.findIndex((code) => code === b) ? a : b;
}
