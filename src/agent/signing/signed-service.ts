import type { AssignmentMemory } from "#agent/state/assignment-file";
import type { SignedMonitors } from "#agent/signing/signed-monitors";
import type { ControlPlane } from "#transport/control-plane";

/** A service of whose monitors only the signed ones are run. */
export const signedControlPlane = (
  service: ControlPlane,
  signed: SignedMonitors,
): ControlPlane => ({
  pull: async (known, signal) => {
    const pull = await service.pull(known, signal);
    // After a start with a wrong clock, only the clock has changed.
    const judged = pull.unchanged ? signed.dueAgain : pull;
    return judged === null ? pull : { ...(await signed.admit(judged)), unchanged: false };
  },
  report: (...what) => service.report(...what),
  get reportsSingly() {
    return service.reportsSingly;
  },
  heartbeat: (...what) => service.heartbeat(...what),
});

/** What was kept is judged anew: since then a key may have gone. What is kept is what the service sent. */
export const signedMemory = (
  memory: AssignmentMemory,
  signed: SignedMonitors,
): AssignmentMemory => ({
  load: async () => {
    const kept = await memory.load();
    return kept === null ? null : signed.admit(kept);
  },
  save: (assignment) => memory.save(assignment),
  // One signed monitor under many ids shows only in the whole.
  takesChanges: false,
  get ran() {
    return memory.ran;
  },
  saveRan: (runs) => memory.saveRan(runs),
});
