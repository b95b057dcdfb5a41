import { Code, ConnectError } from "@connectrpc/connect";
import { ownLine, phaseChart, sumOf } from "#cli/edge/phase-chart";
import { coloured } from "#cli/edge/coloured";
import { exitCodes } from "#cli/edge/exit-code";
import { readWords } from "#cli/grammar/read-words";
import type { Io } from "#cli/edge/io";
import { type LocationEntry, readInventory } from "#cli/management/inventory";
import type { Management } from "#cli/management/management";
import { namedOne } from "#cli/management/named-item";
import { checkNowGrammar } from "#cli/management/seeing-grammars";
import { statusMarks } from "#cli/management/status-marks";
import { CannotDo, withService } from "#cli/management/with-service";
import { type Terminal, terminalOf } from "#cli/edge/terminal";
import { UsageError } from "#cli/edge/usage-error";
import type { CheckNowAnswer } from "#contract/private_location/v1/private_location_pb";
import type { Phases } from "#check/outcome";
import { type ResultStatus, resultStatuses } from "#check/verdict";
import { millis, nanos, type Nanos } from "#base/units";
import { showText } from "#base/text";
import { fineLatency } from "#check/echo-spread";
import { echoesIn } from "#wire/read-echoes";
import { ownIn, phasesIn } from "#wire/read-phases";

/** `picket check-now`: the agents of a monitor's locations check it at once. */
export async function runCheckNow(args: readonly string[], io: Io): Promise<number> {
  const typed = readWords(checkNowGrammar, args, io);
  if (typed === null) return exitCodes.fine;
  const { values, words } = typed;
  const [name, ...more] = words;
  if (name === undefined || more.length > 0) throw new UsageError("check-now takes one MONITOR");
  return withService("check-now", io, async (management) => {
    const { monitors, locations } = await readInventory(management, io.signal);
    const { id, locationIds } = namedOne("monitor", name, monitors);
    const running = locations.filter((one) => locationIds.includes(one.id));
    const asked =
      values.location === null ? running : [namedOne("location", values.location, running)];
    if (asked.length === 0)
      throw new CannotDo(`no private location runs "${name}": assign it to one first`);
    const answers = await Promise.all(
      asked.map((location) => answersOf(location, id, management, io.signal)),
    );
    const all = answers.flat();
    const terminal = terminalOf(io);
    for (const one of all)
      io.stdout.write(values.json ? `${JSON.stringify(one)}\n` : textOf(one, terminal));
    return codeOf(all);
  });
}

/** What one agent answered, under names for a program. */
interface AgentReply {
  readonly location: string;
  /** Empty if no agent answered. */
  readonly agent: string;
  /** Null if the check could not be run; the message then says why. */
  readonly status: ResultStatus | null;
  readonly latency_ms: number | null;
  readonly message: string;
  readonly phases_ns: Phases | null;
  /** Null if the agent did not say: then it is part of the phases. */
  readonly own_ns: Nanos | null;
}

async function answersOf(
  { id, name }: LocationEntry,
  monitorId: string,
  { locations }: Management,
  signal: AbortSignal,
): Promise<readonly AgentReply[]> {
  try {
    const { answers } = await locations.checkNow({ privateLocationId: id, monitorId }, { signal });
    return answers.map((one) => answerOf(name, one));
  } catch (error) {
    // One location without a connected agent does not hide what the others say.
    if (!(error instanceof ConnectError) || error.code !== Code.FailedPrecondition) throw error;
    return [unrun(name, "", error.rawMessage)];
  }
}

const unrun = (location: string, agent: string, message: string): AgentReply => ({
  location,
  agent,
  status: null,
  latency_ms: null,
  message,
  phases_ns: null,
  own_ns: null,
});

function answerOf(location: string, { result, error, instanceId }: CheckNowAnswer): AgentReply {
  const reported = result?.result.value;
  const status = resultStatuses.find((one) => one === reported?.requestStatus);
  if (result === undefined || reported === undefined || status === undefined)
    return unrun(location, instanceId, error || "the agent answered without a result");
  const { detail } = result;
  const reasons = [detail?.failure?.message ?? reported.message, ...(detail?.remarks ?? [])];
  return {
    location,
    agent: instanceId,
    status,
    latency_ms: fineLatency({
      latency: millis(Number(reported.latency)),
      phases: phasesIn(result),
      echoes: echoesIn(result),
    }),
    message: reasons.filter((one) => one !== "").join("; "),
    phases_ns: phasesIn(result),
    own_ns: ownIn(result),
  };
}

function textOf(answer: AgentReply, terminal: Terminal): string {
  const { location, agent, status, message, phases_ns: phases, own_ns: own } = answer;
  const { mark, colour } = statusMarks[status === "success" ? "active" : (status ?? "unknown")];
  const verdict = coloured(`${mark} ${status ?? "not checked"}`, colour, terminal.colour);
  const by = agent === "" ? "" : `  by ${showText(agent)}`;
  const took = answer.latency_ms === null ? "" : `  ${answer.latency_ms} ms`;
  const lines = [
    `${verdict}  ${showText(location)}${by}${took}`,
    ...(message === "" ? [] : [`  ${showText(message)}`]),
    ...(phases === null ? [] : chartOf(phases, own, terminal).map((line) => `  ${line}`)),
  ];
  return `${lines.join("\n")}\n`;
}

/** With what the agent itself took, so that the lines sum to the whole. */
function chartOf(phases: Phases, own: Nanos | null, terminal: Terminal): readonly string[] {
  const whole = nanos(sumOf(phases) + (own ?? 0));
  return [
    ...phaseChart({ phases, before: nanos(0), whole, failed: null }, terminal),
    ...(own === null ? [] : [ownLine(own)]),
  ];
}

function codeOf(answers: readonly AgentReply[]): number {
  if (answers.some(({ status }) => status === null || status === "error")) return exitCodes.failed;
  return answers.some(({ status }) => status === "degraded") ? exitCodes.degraded : exitCodes.fine;
}
