import { dial } from "#probes/connection/dial";
import { startBestTls } from "#probes/connection/handshake";
import type { Probe } from "#probes/connection/probe";
import { Stopwatch } from "#probes/socket/stopwatch";

/** Connects, and closes at once with FIN; no byte of data is sent. */
export const probeTcp: Probe<"tcp"> = async (target, deadline, context) => {
  const stopwatch = new Stopwatch(context.clock, context.marker);
  const dialled = await dial(
    { ...target, tls: null },
    { deadline, stopwatch, context },
    startBestTls,
  );
  stopwatch.stop(dialled.ok ? dialled.ready : undefined);
  if (dialled.ok) {
    dialled.witness.dismiss();
    dialled.line.finish();
  }
  return {
    kind: "tcp",
    ...stopwatch.times,
    addresses: dialled.addresses,
    tls: null,
    evidence: dialled.ok ? null : dialled.evidence,
    failure: dialled.ok ? null : dialled.failure,
  };
};
