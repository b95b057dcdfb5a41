import { parsed, type Parsed, refused } from "#network/parsed";

/** When a monitor's trouble becomes an incident, how urgent that is, and when it is over. */
export interface AlertPolicy {
  /** Failed checks in a row, each with its own retries already. */
  readonly failures: number;
  /** Checks in a row that are too slow, or failed. */
  readonly degraded: number;
  /** Good checks in a row that end it. */
  readonly successes: number;
  /** How many of the locations that can say something have to agree. */
  readonly quorum: Quorum;
  /** Ids of monitors that this one cannot work without: while one of them is down, this one waits with its alerts. */
  readonly dependsOn: readonly string[];
  /** Null: critical while it is down, a warning while it is slow. */
  readonly severity: AlertSeverity | null;
}

export type Quorum =
  | { readonly of: "share"; readonly percent: number }
  | { readonly of: "count"; readonly locations: number };

export const alertSeverities = ["critical", "error", "warning", "info"] as const;
export type AlertSeverity = (typeof alertSeverities)[number];

export const alertPolicyDefault: AlertPolicy = {
  failures: 1,
  degraded: 3,
  successes: 2,
  quorum: { of: "share", percent: 50 },
  dependsOn: [],
  severity: null,
};

/** `50%` of the locations, or a number of them. */
export function readQuorum(text: string): Parsed<Quorum> {
  const share = /^(\d{1,3})%$/.exec(text)?.[1];
  if (share !== undefined) {
    const percent = Number(share);
    if (percent >= 1 && percent <= 100) return parsed({ of: "share", percent });
  }
  const locations = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (locations >= 1) return parsed({ of: "count", locations });
  return refused("is a share from 1% to 100%, e.g. 50%, or a number of locations");
}

export const quorumText = (quorum: Quorum): string =>
  quorum.of === "share" ? `${quorum.percent}%` : String(quorum.locations);

/** Whether so many of the locations that can say something are enough. */
export function isQuorum(quorum: Quorum, count: number, heard: number): boolean {
  if (count === 0) return false;
  if (quorum.of === "share") return count * 100 >= heard * quorum.percent;
  // Where fewer can say something than are wanted, all of them are enough: silence is no proof that all is well.
  return count >= Math.min(quorum.locations, heard);
}
