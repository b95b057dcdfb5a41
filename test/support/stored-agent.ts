import type { StoredInstance } from "#service/agents/instances";
import { epochMillis } from "#base/units";

/** An agent as the service keeps it: alive, and with nothing to say. */
export const storedAgent = (
  id: string,
  placement: StoredInstance["placement"],
): StoredInstance => ({
  id,
  placement,
  live: true,
  left: false,
  lastSeenAt: epochMillis(0),
  revision: "",
  wanted: placement === "share",
  settled: placement === "share",
  steadyFrom: null,
  report: {
    hostname: id,
    node: "",
    labels: {},
    version: "",
    monitorCount: 0,
    resultsWaiting: 0,
    checksRun: 9,
    clockAhead: null,
    missedSlots: 0,
    missedSlotsOwn: 0,
    resultsGivenUp: 0,
    resultsGivenUpAge: 0,
    resultsGivenUpRoom: 0,
    resultsRejected: 0,
    resultsUnassigned: 0,
    spells: [],
    conditions: [],
    warnings: [],
    remarks: [],
    kinds: ["http", "tcp", "dns", "icmp", "grpc"],
    targets: null,
    signedFor: "",
    tokenHash: "",
  },
});
