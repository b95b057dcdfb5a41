import type { Prober } from "#prober/prober";
import type { LaneReply, ProbeRequest } from "#prober/lane-messages";
import { systemClock } from "#clock";
import type { Target } from "#check/monitor";
import { type Outcome, unseen } from "#check/outcome";
import { agentError } from "#probes/classify";
import type { Millis } from "#units";

/** Makes the attempts that the main thread asks for, one by one. */
export function probeDesk(
  prober: Pick<Prober, "probe">,
  answer: (answer: LaneReply, transfer: ArrayBuffer[]) => void,
): (ask: ProbeRequest) => void {
  const running = new Map<number, AbortController>();
  const run = async (id: number, target: Target, timeout: Millis): Promise<Outcome> => {
    const cancel = new AbortController();
    running.set(id, cancel);
    const startedAt = systemClock.wall();
    try {
      return await prober.probe(target, timeout, cancel.signal);
    } catch (error) {
      return unseen(target.kind, startedAt, agentError(error));
    } finally {
      running.delete(id);
    }
  };
  return (ask) => {
    switch (ask.ask) {
      case "probe":
        void run(ask.id, ask.target, ask.timeout).then((outcome) =>
          answer({ answer: "outcome", id: ask.id, outcome }, buffersOf(outcome)),
        );
        return;
      case "cancel":
        return running.get(ask.id)?.abort();
    }
  };
}

function buffersOf(outcome: Outcome): ArrayBuffer[] {
  if (outcome.kind !== "http" || outcome.response === null) return [];
  const { buffer } = outcome.response.body;
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}
