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
