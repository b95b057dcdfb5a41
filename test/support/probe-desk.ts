import { parentPort, workerData } from "node:worker_threads";
import { unseen } from "#check/kinds/unseen";
import { startInlineProber } from "#agent/prober/inline-prober";
import type { Prober, ProbeThreadOptions } from "#agent/prober/prober";
import { systemClock } from "#base/clock";
import type { Target } from "#check/monitor";
import type { Outcome } from "#check/outcome";
import { agentError } from "#probes/socket/classify";
import { noTranscript } from "#probes/resolve/transcript";
import type { Millis } from "#base/units";

/* Where the thread of a worker prober begins: it makes the attempts that it is asked for, one by one. */

/** What the thread is started with. */
export interface DeskStart {
  readonly options: ProbeThreadOptions;
  readonly descriptors: SharedArrayBuffer;
}

export type DeskRequest =
  | {
      readonly ask: "probe";
      readonly id: number;
      readonly target: Target;
      readonly timeout: Millis;
    }
  | { readonly ask: "cancel"; readonly id: number };

export type DeskReply =
  | { readonly answer: "ready" }
  | { readonly answer: "outcome"; readonly id: number; readonly outcome: Outcome };

function probeDesk(
  prober: Pick<Prober, "probe">,
  answer: (answer: DeskReply, transfer: ArrayBuffer[]) => void,
): (ask: DeskRequest) => void {
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

if (parentPort !== null) {
  const port = parentPort;
  Error.stackTraceLimit = 0;
  const { options, descriptors }: DeskStart = workerData;
  const prober = await startInlineProber(options, noTranscript, descriptors);
  const desk = probeDesk(prober, (answer, transfer) => port.postMessage(answer, transfer));
  port.on("message", desk);
  const ready: DeskReply = { answer: "ready" };
  port.postMessage(ready);
}
