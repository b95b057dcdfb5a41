import type { MonitorDefinition } from "#check/definition";
import { fineLatency } from "#check/echo-spread";
import { sidesInWords } from "#check/shown-evaluation";
import { failureSentence } from "#service/notify/message/failure-sentence";
import { latencyWords } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { verdictMark } from "#web/page/verdict-mark";
import { arrivalBounds } from "#service/agents/agent-clocks";
import { readIncoming } from "#service/agents/incoming";
import { Refusal } from "#service/edge/call-refusal";
import { seenAs } from "#service/monitors/judged-monitor";
import { OwnSecrets } from "#service/monitors/own-secrets";
import { shownReceived } from "#service/operator/failures/answer-view";
import { checkView } from "#service/operator/check-view";
import type { PageRooms } from "#service/operator/page-rooms";
import { statusMark } from "#service/operator/status-mark";
import { locationId, monitorId } from "#service/store/ids";
import type { BatchResult } from "#contract/private_location/v1/private_location_pb";

/** Where a monitor is tried: a location that a person chose. */
interface TrialPlace {
  readonly id: number;
  readonly name: string;
}

/** What came of a trial. */
interface Trial {
  readonly said: Html;
  /** What the agent that checked it saw; null: none did. */
  readonly result: BatchResult | null;
}

/** An agent of the location checks what was typed, once and without retries; gives what is said of it. Nothing is kept. */
export async function triedNow(
  { watch, clock }: Pick<PageRooms, "watch" | "clock">,
  place: TrialPlace,
  definition: MonitorDefinition,
  typedTargets: readonly string[],
  signal: AbortSignal,
): Promise<Trial> {
  try {
    const location = locationId(place.id);
    const wanted = { ...definition, retry: 0, active: true };
    const { result, error } = await watch.tryNow(location, wanted, signal);
    if (result === undefined) return notTried(error);
    const read = readIncoming(result, arrivalBounds(clock));
    const at = clock.wall();
    const secrets = new OwnSecrets(definition);
    const whole = { ...read, monitor: monitorId(0), location, storedAt: at };
    const plan = {
      said: saidByVerdicts(result, whole.detail?.message ?? ""),
      assertions: "above",
      answer: "first",
    } as const;
    const said = html`<p class="lede">
        ${statusMark(seenAs[read.status])} ${latencyFigure(read, result)}
      </p>
      ${verdicts(result, secrets, typedTargets)}
      ${checkView(whole, place.name, at, { evidence: "whole", secrets }, plan)}`;
    return { said, result };
  } catch (error) {
    if (error instanceof Refusal) return notTried(error.message);
    throw error;
  }
}

const notTried = (why: string): Trial => ({
  said: html`<p class="why">It was not tried: ${why}.</p>`,
  result: null,
});

/** As it would be judged and kept; the agent's own work is in the total below alone. Nothing of what took no time. */
function latencyFigure(
  read: Parameters<typeof fineLatency>[0],
  { detail }: BatchResult,
): Html | null {
  const latency = fineLatency(read);
  const isTimed = latency > 0 || (detail?.totalNs ?? 0n) > 0n;
  return isTimed ? html`<span class="figure">Latency ${latencyWords(latency)}</span>` : null;
}

/** What every assertion wanted and what came, each with its mark. A value that may be a secret is not shown, unless it was just typed. */
function verdicts(
  { detail }: BatchResult,
  secrets: OwnSecrets,
  typedTargets: readonly string[],
): Html | null {
  const { evaluations } = detail ?? { evaluations: [] };
  if (evaluations.length === 0) return null;
  return html`<table class="verdicts">
    <thead>
      <tr>
        <th scope="col">Result</th>
        <th scope="col">Expected</th>
        <th scope="col">Received</th>
      </tr>
    </thead>
    <tbody>
      ${evaluations.map((one) => {
        const { expected, received } = sidesInWords(one, shownReceived(one, secrets), typedTargets);
        return html`<tr>
          <td>${verdictMark(one.held ? "success" : "error", one.held ? "Passed" : "Failed")}</td>
          <td>${expected}</td>
          <td>${received ?? html`<span class="quiet">not shown: it may be a credential</span>`}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

/** The sentence of a check whose assertions failed says what their table says already. */
const saidByVerdicts = ({ detail }: BatchResult, message: string): string | null =>
  detail?.evaluations.some(({ held }) => !held) === true ? failureSentence(message) : null;
