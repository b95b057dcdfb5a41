import type { Mistake } from "#check/findings";
import * as limits from "#limits/check-limits";
import { parsed, type ParseResult, refused } from "#network/parsed";

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
  /** So many days before a certificate ends it is reported, the most first. Null: as is usual; empty: never. */
  readonly certificateDays: readonly number[] | null;
  /** Null if it has none. */
  readonly objective: Objective | null;
}

/** What share of the time a monitor is to be up, over the last days. */
export interface Objective {
  readonly percent: number;
  readonly days: number;
}

type Quorum =
  | { readonly of: "share"; readonly percent: number }
  | { readonly of: "count"; readonly locations: number };

export const alertSeverities = ["critical", "error", "warning", "info"] as const;
type AlertSeverity = (typeof alertSeverities)[number];

export const alertPolicyDefault: AlertPolicy = {
  failures: 1,
  degraded: 3,
  successes: 2,
  quorum: { of: "share", percent: 50 },
  dependsOn: [],
  severity: null,
  certificateDays: null,
  objective: null,
};

/** A policy as it was written: 0 and what is empty stand for the default. */
export interface WrittenPolicy {
  readonly failures: number;
  readonly degraded: number;
  readonly successes: number;
  readonly quorum: string;
  readonly dependsOn: readonly string[];
  readonly severity: string;
  /** E.g. `28, 14, 7`, or `none`. */
  readonly certificateDays: string;
  /** E.g. `99.9% over 30d`. */
  readonly objective: string;
}

export const policyUnwritten: WrittenPolicy = {
  failures: 0,
  degraded: 0,
  successes: 0,
  quorum: "",
  dependsOn: [],
  severity: "",
  certificateDays: "",
  objective: "",
};

/** The policy that was meant; what cannot be understood is as if it had not been written. */
export function policyFrom(written: WrittenPolicy | null): AlertPolicy {
  const { failures, degraded, successes, quorum, dependsOn, severity, ...more } =
    asWritten(written);
  const days = readCertificateDays(more.certificateDays);
  const objective = readObjective(more.objective);
  const read = readQuorum(quorum);
  const usual = alertPolicyDefault;
  return {
    failures: countOr(failures, usual.failures),
    degraded: countOr(degraded, usual.degraded),
    successes: countOr(successes, usual.successes),
    quorum: read.ok ? read.value : usual.quorum,
    dependsOn,
    severity: alertSeverities.find((one) => one === severity) ?? null,
    certificateDays: days.ok ? days.value : null,
    objective: objective.ok ? objective.value : null,
  };
}

/** What was written before a field was there leaves it out. */
const asWritten = (written: WrittenPolicy | null): WrittenPolicy => ({
  ...policyUnwritten,
  ...written,
});

/** `28, 14, 7`; `none` is never, and nothing is as is usual. */
function readCertificateDays(text: string): ParseResult<readonly number[] | null> {
  const trimmed = text.trim();
  if (trimmed === "") return parsed(null);
  if (trimmed === "none") return parsed([]);
  const words = trimmed.split(/\s*,\s*|\s+/);
  const days = words.map(Number);
  const isFit = words.every((word) => /^\d{1,3}$/.test(word)) && days.every((one) => one >= 1);
  if (!isFit || days.length > limits.certificateThresholdsMax)
    return refused(
      `must be none, or up to ${limits.certificateThresholdsMax} numbers of days from 1 to 999, for example 28, 14, 7`,
    );
  return parsed([...new Set(days)].toSorted((a, b) => b - a));
}

/** `99.9%`, `99.9` and `99,9 %` are over 30 days, `99.95% over 90d` says over how many. */
function readObjective(text: string): ParseResult<Objective | null> {
  if (text.trim() === "") return parsed(null);
  const [, share = "", count = String(limits.objectiveDaysDefault)] =
    /^(\d{1,2}(?:[.,]\d{1,4})?)\s*(?:%|percent)?(?:\s*over\s*(\d{1,3})\s*d(?:ays?)?)?$/i.exec(
      text.trim(),
    ) ?? [];
  const [percent, days] = [Number(share.replace(",", ".")), Number(count)];
  if (share === "" || percent <= 0 || days < 1 || days > limits.objectiveDaysMax)
    return refused(
      `must be a share below 100% over 1 to ${limits.objectiveDaysMax} days, for example 99.9% over 30d`,
    );
  return parsed({ percent, days });
}

/** An objective as this program writes one: `99.9% over 30d` of `99,9 % over 30 days`. What is none stays as it is. */
export function objectiveWritten(text: string): string {
  const read = readObjective(text);
  return read.ok && read.value !== null ? `${read.value.percent}% over ${read.value.days}d` : text;
}

const isCount = (value: number): boolean =>
  Number.isInteger(value) && value >= 0 && value <= limits.policyRunMax;
const countOr = (value: number, usual: number): number =>
  isCount(value) && value > 0 ? value : usual;

/** What is wrong with a policy, by its fields. */
export function policyViolations(policy: WrittenPolicy): readonly Mistake[] {
  const written = asWritten(policy);
  const [days, objective] = [
    readCertificateDays(written.certificateDays),
    readObjective(written.objective),
  ];
  const counts = (["failures", "degraded", "successes"] as const)
    .filter((field) => !isCount(written[field]))
    .map((field) => ({ field, message: `must be 0 to ${limits.policyRunMax}` }));
  const quorum = written.quorum === "" ? null : readQuorum(written.quorum);
  const known: readonly string[] = alertSeverities;
  return [
    ...counts,
    ...(quorum?.ok === false ? [{ field: "quorum", message: quorum.message }] : []),
    ...(written.severity === "" || known.includes(written.severity)
      ? []
      : [{ field: "severity", message: `must be one of ${known.join(", ")}` }]),
    ...(days.ok ? [] : [{ field: "certificate_days", message: days.message }]),
    ...(objective.ok ? [] : [{ field: "objective", message: objective.message }]),
    ...(written.dependsOn.length > limits.dependenciesMax
      ? [{ field: "depends_on", message: `has more than ${limits.dependenciesMax} monitors` }]
      : []),
    ...(written.dependsOn.some((id) => !/^\d{1,16}$/.test(id))
      ? [{ field: "depends_on", message: "must be ids of monitors, for example 12" }]
      : []),
  ];
}
/** `50%` of the locations, or a number of them. */
function readQuorum(text: string): ParseResult<Quorum> {
  const share = /^(\d{1,3})%$/.exec(text)?.[1];
  if (share !== undefined) {
    const percent = Number(share);
    if (percent >= 1 && percent <= 100) return parsed({ of: "share", percent });
  }
  const locations = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (locations >= 1) return parsed({ of: "count", locations });
  return refused("must be a share from 1% to 100%, for example 50%, or a number of locations");
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
