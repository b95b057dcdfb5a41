import type { Instrument } from "#metrics/instrument";

export type CheckInstrumentName =
  | "picket.check.duration"
  | "picket.check.phase.duration"
  | "picket.check.status"
  | "picket.check.attempts"
  | "picket.check.failures"
  | "picket.check.certificate.expiry"
  | "picket.check.last_run"
  | "picket.check.echo.loss"
  | "picket.check.echo.jitter";

/** Seconds, from a LAN to the longest timeout; each bound is a line of each series wherever it is scraped. */
const durations: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60,
];
/** A check has up to seven phases, so these are fewer. */
const phaseDurations: readonly number[] = [0.001, 0.005, 0.025, 0.1, 0.25, 1, 5, 30];

/**
 * What a monitor's own collector and the agent's receive of each check. OpenTelemetry has conventions for clients and
 * their requests, none for checks: a check is a separate instrument, so that synthetic and real traffic never sum.
 */
export const checkInstruments: Readonly<Record<CheckInstrumentName, Instrument>> = {
  "picket.check.duration": {
    kind: "histogram",
    unit: "s",
    does: "How long the reported attempt of a check took, from its first packet to its last",
    attributes: [
      "picket.check.status",
      "error.type",
      "http.response.status_code",
      "network.protocol.version",
    ],
    bounds: durations,
  },
  "picket.check.phase.duration": {
    kind: "histogram",
    unit: "s",
    does: "How long each phase of the reported attempt took; phases touch and sum to its duration",
    attributes: ["picket.check.phase"],
    brief: true,
    bounds: phaseDurations,
  },
  "picket.check.status": {
    kind: "up_down_counter",
    unit: "1",
    does: "1 for the status of the last check, 0 for the others",
    attributes: ["picket.check.status"],
    whole: true,
  },
  "picket.check.attempts": {
    kind: "counter",
    unit: "{attempt}",
    does: "Attempts that were made, retries included",
    attributes: [],
    whole: true,
  },
  "picket.check.failures": {
    kind: "counter",
    unit: "{failure}",
    does: "Attempts that failed, also if a retry passed, and checks that could not be tried",
    attributes: ["error.type", "picket.failure.phase"],
    whole: true,
  },
  "picket.check.certificate.expiry": {
    kind: "gauge",
    unit: "s",
    does: "When the certificate that the target showed last ends, as Unix time",
    attributes: [],
  },
  "picket.check.echo.loss": {
    kind: "gauge",
    unit: "1",
    does: "The share of the last ping's echoes that got no reply, 0 to 1",
    attributes: [],
  },
  "picket.check.echo.jitter": {
    kind: "gauge",
    unit: "s",
    does: "The mean difference of neighbouring round trips of the last ping, absent for fewer than two replies",
    attributes: [],
  },
  "picket.check.last_run": {
    kind: "gauge",
    unit: "s",
    does: "When the last reported attempt began, as Unix time",
    attributes: [],
  },
};
