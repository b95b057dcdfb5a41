import type { AgentOptions } from "#agent/agent-options";
import type { Judgement } from "#agent/checks/judgement";
import type { Heartbeat } from "#agent/link/heartbeat";
import type { Reporter } from "#agent/link/reporter";
import type { RunRecord } from "#agent/link/run-record";
import type { SpoolSaves } from "#agent/link/spool-saves";
import type { Checker } from "#agent/prober/checker";
import { aborted } from "#base/aborted";
import { startDeadline } from "#base/deadline";
import { counted } from "#base/text";
import type { Millis } from "#base/units";
import * as limits from "#limits/agent-limits";

/** How a run ended: everything done and reported, or cut short with results left. */
export type AgentEnd = "drained" | "abandoned";

/** What of an agent has to end. */
interface StoppingParts {
  readonly options: AgentOptions;
  readonly checker: Checker;
  readonly judgement: Judgement;
  readonly heartbeat: Heartbeat;
  readonly reporter: Reporter;
  readonly runs: RunRecord;
  readonly saves: SpoolSaves;
}

/**
 * Ends the checks in flight, then reports, both within the drain timeout or until `cut`. What is safe on the disk waits
 * for no service that is away. `over` ends the loops that had to run until no check was left.
 */
export async function stopAgent(
  parts: StoppingParts,
  { cut, over, checks }: { cut: AbortSignal; over: AbortController; checks: Promise<void> },
): Promise<AgentEnd> {
  const { checker, judgement, heartbeat, reporter, runs, saves } = parts;
  const { clock, drainTimeout, log, spool } = parts.options;
  const inFlight = checker.status.checksInFlight;
  log.info(
    stoppingWords({ inFlight, results: spool.size, durable: spool.durable, within: drainTimeout }),
    { checks: inFlight, results: spool.size },
  );
  using patience = startDeadline(clock, drainTimeout, cut);
  const sayGoodbye = async (): Promise<void> => {
    using deadline = startDeadline(clock, limits.stopSilenceMax, patience.signal);
    await heartbeat.send(deadline.signal);
  };
  // The others of the location take its share over while this one ends.
  const goodbye = sayGoodbye();
  const settled = async (): Promise<void> => {
    await checker.settled();
    await judgement.settled();
  };
  await Promise.race([settled(), aborted(patience.signal)]);
  checker.abort();
  judgement.abort();
  await settled();
  over.abort();
  // A service that does not answer may cost the patience of whoever stops us, and then comes the kill.
  saves.save();
  // What is not safe on the disk may be lost, and is checked again.
  if (await checks.then(() => spool.durable).catch(() => false)) runs.keep();
  const flushed = await reporter.flush(patience.signal);
  saves.save();
  await goodbye;
  if (flushed && !patience.signal.aborted) await sayGoodbye();
  return flushed ? "drained" : "abandoned";
}

/** What a stop waits for, and for how long. */
function stoppingWords({
  inFlight,
  results,
  durable,
  within,
}: {
  readonly inFlight: number;
  readonly results: number;
  readonly durable: boolean;
  readonly within: Millis;
}): string {
  const most = `${within / 1000} s`;
  const silence = `${Math.min(within, limits.stopSilenceMax) / 1000} s`;
  const waits = [
    ...(inFlight === 0 ? [] : [`at most ${most} for ${counted(inFlight, "check")} in flight`]),
    ...(inFlight === 0 && results === 0
      ? []
      : [
          durable
            ? `for the service, until it takes nothing for ${silence}`
            : `at most ${most} for the service to take the results, which are in memory only`,
        ]),
  ];
  return waits.length === 0
    ? "stopping: no check is in flight, and no result waits"
    : `stopping: waits ${waits.join(", then ")}`;
}
