/**
 * What of the agent or its machine keeps a check from saying anything of its target, each with how its sentence begins.
 * The rest of a sentence is about one check; two sentences that begin alike are one fault.
 */
export const ownFaults = {
  ports: "this machine has no free local port",
  descriptors: "the agent has no file descriptor left",
  "machine's descriptors": "this machine has no file descriptor left",
  memory: "the kernel has no memory left for connections",
  "body memory": "The agent had no memory left for the body of",
  pause: "The agent was paused for",
  delay: "The agent was delayed by",
  sleep: "This machine slept for",
  thread: "The probe thread died",
} as const;

/** "agent" is any other fault. */
export function ownFaultOf(message: string): string {
  const known = Object.entries(ownFaults).find(([, beginning]) => message.startsWith(beginning));
  return known === undefined ? "agent" : known[0];
}

/** Faults that are over by the time they are seen. */
export const isPassing = (fault: string): boolean =>
  fault === "pause" || fault === "delay" || fault === "sleep" || fault === "thread";
