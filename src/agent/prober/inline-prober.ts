import { proberContext, threadSockets } from "#agent/prober/probe-context";
import type { Prober, ProbeThreadOptions } from "#agent/prober/prober";
import { systemClock } from "#base/clock";
import { startDeadline } from "#base/deadline";
import { checkClock } from "#base/peer-clock";
import { bodyOf } from "#check/outcome";
import { descriptorMemory } from "#probes/raw/descriptor-list";
import type { SocketsInUse } from "#probes/raw/open-sockets";
import type { TargetRules } from "#network/target-rules";
import { probe } from "#probes/registry";
import { noTranscript, type Transcript } from "#probes/resolve/transcript";
import { warmUp } from "#probes/warm-up";

const attemptClock = checkClock(systemClock);

/** A prober, and which sockets it uses. */
export interface InlineProber extends Prober {
  /** What targets may be from now on; an attempt that runs continues. */
  useTargets(rules: TargetRules): void;
  readonly sockets: SocketsInUse;
}

/** Probes in the calling thread. */
export async function startInlineProber(
  options: ProbeThreadOptions,
  transcript: Transcript = noTranscript,
  descriptors: SharedArrayBuffer = descriptorMemory(),
): Promise<InlineProber> {
  const opened = await threadSockets(options, descriptors);
  const context = proberContext(options, transcript, opened);
  await warmUp(context);
  return {
    sockets: opened.inUse,
    probe: async (target, timeout, signal) => {
      const deadline = startDeadline(attemptClock, timeout, signal);
      // Not `using`: V8 disposes by a slow call, which each check would make.
      try {
        const outcome = await probe(target, deadline, context);
        const claim = context.bodyMemory.claimOf(bodyOf(outcome));
        // Whoever asked judges the body in the microtasks that follow, and frees it.
        if (claim !== null) setImmediate(() => claim.shrink(0));
        return outcome;
      } finally {
        deadline[Symbol.dispose]();
      }
    },
    useTargets: (rules) => context.guard.replace(rules),
    [Symbol.asyncDispose]: async () => opened.close(),
  };
}
