import type { Failure } from "#check/failure";

/** What we say of one check. `unknown` stands for an aborted check: it is never reported as a result. */
export type Verdict =
  | { readonly status: "success"; readonly failure: null }
  | { readonly status: "degraded"; readonly failure: null }
  | { readonly status: "error"; readonly failure: Failure }
  | { readonly status: "unknown"; readonly failure: Failure };

/** The statuses that a result can carry on the wire. */
export const resultStatuses = ["success", "degraded", "error"] as const;
export type ResultStatus = (typeof resultStatuses)[number];

/** Of which checks the extension carries what was answered: of those that failed, or of every check that a person asked for. */
export type ReportedAnswers = "of failed checks" | "of every check";

/** A check that was slow has its body in the plain field, which is how the existing service has it. */
export const reportsExcerpt = (
  { status }: Pick<Verdict, "status">,
  answers: ReportedAnswers,
): boolean => status === "error" || (status === "success" && answers === "of every check");
