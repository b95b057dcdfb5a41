import { startInlineProber } from "#prober/inline-prober";
import type { Prober, ProberOptions } from "#prober/prober";
import { runCheck as runOneCheck } from "#agent/checks/run-check";
import { type CheckedMonitor, parseCheckArguments } from "#cli/check/check-arguments";
import { resultJson } from "#cli/check/check-json";
import { exchangesJson, explanation } from "#cli/check/explanation";
import { exitCodes } from "#cli/exit-code";
import type { Io } from "#cli/io";
import { shownExchanges, type ShownExchange } from "#cli/check/shown-exchange";
import { waterfall } from "#cli/check/waterfall";
import { systemClock } from "#clock";
import { silentLogger } from "#log";
import { Recorder } from "#probes/recorder";
import type { Result } from "#check/result";
import { showUrl } from "#check/target";
import { epochMillis } from "#units";
import { showText } from "#text";

/** `picket check`: each target once, now; the same check that the agent runs at a slot. */
export async function runCheck(args: readonly string[], io: Io): Promise<number> {
  const parsed = parseCheckArguments(args, io);
  if (parsed === null) return exitCodes.fine;
  const recorder = parsed.explain ? new Recorder() : null;
  for (const warning of parsed.surroundings.warnings)
    io.stderr.write(`picket check: warning: ${showText(warning)}\n`);
  const { probing } = parsed.surroundings;
  await using prober = await (recorder === null
    ? startInlineProber(probing)
    : startRecordingProber(probing, recorder));
  const tools = { prober, clock: systemClock, log: silentLogger, chance: Math.random };
  const colour = io.interactive && (io.env["NO_COLOR"] ?? "") === "";
  let worst: number = exitCodes.fine;
  for (const monitor of parsed.monitors) {
    const slot = { monitor, at: systemClock.wall(), until: never };
    const result = await runOneCheck(slot, tools, io.signal);
    if (result === null) return exitCodes.failed;
    const exchanges = recorder === null ? null : exchangesOf(recorder, monitor);
    const target = shownTarget(monitor);
    io.stdout.write(
      parsed.json
        ? jsonLine(target, result, exchanges)
        : waterfall(target, result, colour) + (exchanges === null ? "" : explanation(exchanges)),
    );
    worst = worse(worst, codeOf(result));
  }
  return worst;
}

const exchangesOf = (
  { exchanges }: Recorder,
  { target }: CheckedMonitor,
): readonly ShownExchange[] =>
  shownExchanges(exchanges, target.kind === "http" ? target.headers : []);

/** What is shown gets copied into tickets: the query and the user-info of a URL may be secrets. */
const shownTarget = ({ typed, kind }: CheckedMonitor): string =>
  kind === "http" ? showUrl(typed) : typed;

function jsonLine(
  target: string,
  result: Result,
  exchanges: readonly ShownExchange[] | null,
): string {
  const json = resultJson(target, result, result.failure?.message ?? "");
  const whole = exchanges === null ? json : { ...json, exchanges: exchangesJson(exchanges) };
  return `${JSON.stringify(whole)}\n`;
}

/** What is kept at the end is what the last attempt exchanged, which is the one that is reported. */
async function startRecordingProber(options: ProberOptions, recorder: Recorder): Promise<Prober> {
  const prober = await startInlineProber(options, recorder);
  return {
    probe: (target, timeout, signal) => {
      recorder.restart();
      return prober.probe(target, timeout, signal);
    },
    stuckFor: prober.stuckFor,
    [Symbol.asyncDispose]: () => prober[Symbol.asyncDispose](),
  };
}

/** A check by hand has no next slot that its retries would have to make room for. */
const never = epochMillis(Number.MAX_SAFE_INTEGER);

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
