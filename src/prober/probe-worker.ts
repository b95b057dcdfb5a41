import os from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { proberContext, threadSockets } from "#prober/probe-context";
import type { ProbeThreadStart } from "#prober/probe-thread";
import { systemClock } from "#clock";
import { startDeadline } from "#deadline";
import type { Target } from "#check/monitor";
import { bodyOf, type Outcome, unseen } from "#check/outcome";
import type { BodyClaim } from "#probes/body-memory";
import { agentError } from "#probes/classify";
import type { ProbeContext } from "#probes/probe";
import { probe } from "#probes/registry";
import { noTranscript } from "#probes/transcript";
import { warmUp } from "#probes/warm-up";
import type { Millis } from "#units";

/** What the main thread asks of a probe thread, and what it is answered: plain values that can be copied. */
export type Ask =
  | {
      readonly ask: "probe";
      readonly id: number;
      readonly target: Target;
      readonly timeout: Millis;
    }
  | { readonly ask: "cancel"; readonly id: number }
  /** The body of this outcome was judged, and takes no memory any more. */
  | { readonly ask: "free"; readonly id: number };
export type Answer =
  | { readonly answer: "ready" }
  | {
      readonly answer: "outcome";
      readonly id: number;
      readonly outcome: Outcome;
      readonly holds: boolean;
    };

// Nobody reads the stacks of a probe thread, and libraries make errors for every connection that ends.
Error.stackTraceLimit = 0;

/** What the bodies hold that the main thread has and has not judged. */
const held = new Map<number, BodyClaim>();

/** Probes that run now, each with what cancels it. */
const running = new Map<number, AbortController>();

function serve(port: NonNullable<typeof parentPort>, context: ProbeContext): void {
  const answer = (message: Answer, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);
  port.on("message", (ask: Ask) => {
    switch (ask.ask) {
      case "probe":
        void run(ask.id, ask.target, ask.timeout, context).then((outcome) =>
          answer(
            { answer: "outcome", id: ask.id, outcome, holds: held.has(ask.id) },
            buffersOf(outcome),
          ),
        );
        return;
      case "cancel":
        return running.get(ask.id)?.abort();
      case "free":
        held.get(ask.id)?.shrink(0);
        held.delete(ask.id);
    }
  });
  answer({ answer: "ready" });
}

async function run(
  id: number,
  target: Target,
  timeout: Millis,
  context: ProbeContext,
): Promise<Outcome> {
  const cancel = new AbortController();
  running.set(id, cancel);
  const startedAt = systemClock.wall();
  using deadline = startDeadline(systemClock, timeout, cancel.signal);
  try {
    const outcome = await probe(target, deadline, context);
    const claim = context.bodyMemory.claimOf(bodyOf(outcome));
    if (claim !== null) held.set(id, claim);
    return outcome;
  } catch (error) {
    return unseen(target.kind, startedAt, agentError(error));
  } finally {
    running.delete(id);
  }
}

function buffersOf(outcome: Outcome): ArrayBuffer[] {
  if (outcome.kind !== "http" || outcome.response === null) return [];
  const { buffer } = outcome.response.body;
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}

if (parentPort !== null) {
  // A replacement thread is started by a main thread that has already stepped back.
  try {
    os.setPriority(0);
  } catch {
    // Without the privilege to step forward again, a replacement runs at the main thread's priority.
  }
  const { options, descriptors }: ProbeThreadStart = workerData;
  const sockets = await threadSockets(options, descriptors);
  const context = proberContext(options, noTranscript, sockets);
  await warmUp(context);
  serve(parentPort, context);
}
