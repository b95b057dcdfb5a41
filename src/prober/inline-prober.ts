import { proberContext, threadSockets } from "#prober/probe-context";
import type { Prober, ProberOptions } from "#prober/prober";
import { systemClock } from "#clock";
import { startDeadline } from "#deadline";
import { bodyOf } from "#check/outcome";
import { descriptorMemory } from "#probes/raw/descriptor-list";
import { probe } from "#probes/registry";
import { noTranscript, type Transcript } from "#probes/transcript";
import { warmUp } from "#probes/warm-up";
import { millis } from "#units";

/** Probes in the calling thread: for a command that does nothing else meanwhile. */
export async function startInlineProber(
  options: ProberOptions,
  transcript: Transcript = noTranscript,
): Promise<Prober> {
  const opened = await threadSockets(options, descriptorMemory());
  const context = proberContext({ ...options, threads: 1 }, transcript, opened);
  await warmUp(context);
  return {
    probe: async (target, timeout, signal) => {
      using deadline = startDeadline(systemClock, timeout, signal);
      const outcome = await probe(target, deadline, context);
      // One at a time: whoever asks is done with one body before it asks for another.
      context.bodyMemory.claimOf(bodyOf(outcome))?.shrink(0);
      return outcome;
    },
    // Whoever asks shares the thread: while it is stuck, nobody asks.
    stuckFor: millis(0),
    [Symbol.asyncDispose]: async () => opened.close(),
  };
}
