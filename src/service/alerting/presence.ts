import { type AlertPolicy, isQuorum } from "#check/alert-policy";
import type { ResultStatus } from "#check/verdict";
import type { EpochMillis } from "#base/units";

/** What one location that reports sees of a monitor, as far as it is fresh. */
export interface FreshView {
  /** The newest results that say something of the target, newest first; there is at least one. */
  readonly recent: readonly ResultStatus[];
  /** Start of the first failing attempt of the trouble that lasts there; null while it is well. */
  readonly troubleSince: EpochMillis | null;
  /** Since when it has been well; null while it is not. */
  readonly wellSince: EpochMillis | null;
}

/** What is certain of a subject now, by its policy. All four may be false: then one round more decides. */
export interface Presence {
  readonly isError: boolean;
  /** An error, or too slow, for long enough. */
  readonly isTrouble: boolean;
  /** No longer an error, for long enough. */
  readonly isPastError: boolean;
  readonly isWell: boolean;
  /** Since when there is trouble, or since when all is well, as the checks saw it; null if neither is known. */
  readonly troubleSince: EpochMillis | null;
  readonly wellSince: EpochMillis | null;
}

/** Null when no location can say anything of the present. */
export function presenceOf(views: readonly FreshView[], policy: AlertPolicy): Presence | null {
  if (views.length === 0) return null;
  const agree = (holds: (view: FreshView) => boolean): boolean =>
    isQuorum(policy.quorum, views.filter(holds).length, views.length);
  return {
    isError: agree(({ recent }) => isConfirmedError(recent, policy)),
    isTrouble: agree(({ recent }) => isConfirmedTrouble(recent, policy)),
    isPastError: !agree(({ recent }) => run(recent, isNoError) < policy.successes),
    isWell: !agree(({ recent }) => run(recent, isGood) < policy.successes),
    troubleSince: whenAgreed(views, policy),
    wellSince: views.reduce<EpochMillis | null>(
      (latest, { wellSince }) =>
        wellSince === null || (latest !== null && latest >= wellSince) ? latest : wellSince,
      null,
    ),
  };
}

export const isGood = (status: ResultStatus): boolean => status === "success";
const isNoError = (status: ResultStatus): boolean => status !== "error";

/** How many of the newest, in a row, are so. */
export function run(
  recent: readonly ResultStatus[],
  is: (status: ResultStatus) => boolean,
): number {
  const end = recent.findIndex((status) => !is(status));
  return end === -1 ? recent.length : end;
}

const isConfirmedError = (recent: readonly ResultStatus[], { failures }: AlertPolicy): boolean =>
  run(recent, (status) => status === "error") >= failures;

/** Errors that are too few yet do not hide that it was too slow for long enough before them. */
function isConfirmedTrouble(recent: readonly ResultStatus[], policy: AlertPolicy): boolean {
  if (isConfirmedError(recent, policy)) return true;
  const errors = run(recent, (status) => status === "error");
  return run(recent.slice(errors), (status) => status !== "success") >= policy.degraded;
}

/** The instant at which enough locations for a quorum were in trouble. */
function whenAgreed(views: readonly FreshView[], policy: AlertPolicy): EpochMillis | null {
  const began = views
    .map(({ troubleSince }) => troubleSince)
    .filter((since) => since !== null)
    .toSorted((a, b) => a - b);
  return began.find((_, index) => isQuorum(policy.quorum, index + 1, views.length)) ?? null;
}
