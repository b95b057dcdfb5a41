import { sentHeaders } from "#check/kinds/kind-table";
import type { Header, Target } from "#check/monitor";
import { startInlineProber } from "#agent/prober/inline-prober";
import type { Prober, ProberOptions } from "#agent/prober/prober";
import { type CheckTools, runCheck as runOneCheck } from "#agent/prober/checks/run-check";
import { filledTarget } from "#agent/secrets/filled-target";
import type { Secrets } from "#agent/secrets/secrets";
import { type CheckArguments, readCheckArguments } from "#cli/check/check-arguments";
import type { CheckedMonitor } from "#cli/check/checked-monitor";
import { type PlaceFiles, placeFiles, withPlace } from "#cli/check/place-look";
import type { CheckReport } from "#cli/check/report/check-report";
import { openReport } from "#cli/check/report/open-report";
import { shownExchanges, type ShownExchange } from "#cli/check/shown-exchange";
import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { terminalOf } from "#cli/edge/terminal";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { Recorder } from "#probes/resolve/recorder";
import type { ResultStatus } from "#check/verdict";
import { epochMillis, millis, nanos, nanosToMillis } from "#base/units";
import { showText } from "#base/text";

/** `picket check`: each target now, once or again and again; the same check that the agent runs at a slot. */
export async function runCheck(args: readonly string[], io: Io): Promise<number> {
  const reading = await readCheckArguments(args, io);
  if (!reading.ok) return reading.code;
  const asked = reading.arguments;
  const recorder = asked.explain ? new Recorder() : null;
  for (const warning of asked.surroundings.warnings)
    io.stderr.write(`picket check: warning: ${showText(warning)}\n`);
  const { secrets } = asked;
  const { probing } = asked.surroundings;
  await using prober = await (recorder === null
    ? startInlineProber({ ...probing, threads: 1 })
    : startRecordingProber(probing, recorder));
  const tools = { prober, clock: systemClock, log: silentLogger, chance: Math.random, secrets };
  const repeated = asked.repetition.times > 1;
  const report = openReport(asked.format, {
    terminal: terminalOf(io),
    repeated,
    targets: asked.monitors.length,
  });
  const files = placeFiles(probing);
  const statuses = await runRounds({ asked, tools, recorder, report, files }, io);
  // What was aborted has no verdict; of several rounds, those before count.
  if (statuses === null) return exitCodes.failed;
  io.stdout.write(report.end());
  return codeOf(statuses);
}

interface Rounds {
  readonly asked: CheckArguments;
  readonly tools: CheckTools & { readonly secrets: Secrets };
  readonly recorder: Recorder | null;
  readonly report: CheckReport;
  readonly files: PlaceFiles | null;
}

/** The statuses that were seen; null if the one round that was wanted did not end. */
async function runRounds(
  { asked, tools, recorder, report, files }: Rounds,
  io: Io,
): Promise<ReadonlySet<ResultStatus> | null> {
  const { monitors, repetition } = asked;
  const seen = new Set<ResultStatus>();
  for (let round = 1; round <= repetition.times; round += 1) {
    const startedAt = systemClock.monotonic();
    for (const monitor of monitors) {
      const slot = { monitor, at: systemClock.wall(), until: never };
      const checked = await runOneCheck(slot, tools, io.signal);
      const result = checked === null ? null : withPlace(checked, files);
      if (result === null) return seen.size === 0 || repetition.times === 1 ? null : seen;
      const { called, shown: target } = monitor;
      const exchanges = recorder === null ? null : exchangesOf(recorder, monitor, tools.secrets);
      io.stdout.write(report.add({ monitor, called, target, result, exchanges }));
      seen.add(result.status);
    }
    if (round === repetition.times) break;
    const took = nanosToMillis(nanos(systemClock.monotonic() - startedAt));
    await systemClock.sleep(millis(repetition.every - took), io.signal);
    if (io.signal.aborted) break;
  }
  return seen;
}

const exchangesOf = (
  { exchanges }: Recorder,
  monitor: CheckedMonitor,
  secrets: Secrets,
): readonly ShownExchange[] => {
  const filled = filledTarget(monitor, secrets);
  return shownExchanges(exchanges, secretsOf(monitor.target), filled.ok ? filled.echoes : []);
};

/** What a person has configured to be sent, and no output shows. */
const secretsOf = (target: Target): readonly Header[] => sentHeaders(target.kind, target);

/** What is kept at the end is what the last attempt exchanged, which is the one that is reported. */
async function startRecordingProber(options: ProberOptions, recorder: Recorder): Promise<Prober> {
  const prober = await startInlineProber({ ...options, threads: 1 }, recorder);
  return {
    probe: (target, timeout, signal) => {
      recorder.restart();
      return prober.probe(target, timeout, signal);
    },
    [Symbol.asyncDispose]: () => prober[Symbol.asyncDispose](),
  };
}

/** A check by hand has no next slot that its retries would have to make room for. */
const never = epochMillis(Number.MAX_SAFE_INTEGER);

/** The worst one counts. */
function codeOf(statuses: ReadonlySet<ResultStatus>): number {
  if (statuses.has("error")) return exitCodes.failed;
  return statuses.has("degraded") ? exitCodes.degraded : exitCodes.fine;
}
