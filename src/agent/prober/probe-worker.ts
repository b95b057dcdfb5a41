import os from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { CheckDesk } from "#agent/prober/check-desk";
import { startInlineProber } from "#agent/prober/inline-prober";
import type { LaneReply, LaneRequest } from "#agent/prober/lane-messages";
import type { ProbeThreadStart } from "#agent/prober/probe-thread";
import { atTheirSlots, StartGroups } from "#agent/prober/schedule/start-groups";
import { noTranscript } from "#probes/resolve/transcript";

/* Where a thread begins that probes: it owns the slots of its monitors. */

// No one reads the stacks of a probe thread, and libraries make errors for every connection that ends.
Error.stackTraceLimit = 0;

async function serve(
  port: NonNullable<typeof parentPort>,
  { options, descriptors }: ProbeThreadStart,
): Promise<void> {
  const prober = await startInlineProber(options, noTranscript, descriptors);
  const answer = (message: LaneReply): void => port.postMessage(message);
  // Without the kernel's stamps, checks that begin together would blur each other's times.
  const starts = prober.sockets.kind === "raw" ? new StartGroups() : atTheirSlots;
  const reportsBodies = options.evidence !== "off";
  const desk = new CheckDesk(options.checks, { prober, starts, reportsBodies }, answer);
  port.on("message", (ask: LaneRequest) => desk.take(ask));
  answer({ answer: "ready", sockets: prober.sockets });
}

if (parentPort !== null) {
  // A replacement thread is started by a main thread that has already stepped back.
  try {
    os.setPriority(0);
  } catch {
    // Without the privilege to step forward again, a replacement runs at the main thread's priority.
  }
  await serve(parentPort, workerData);
}
