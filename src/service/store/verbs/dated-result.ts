import type { NewResult, ResultBatch } from "#service/store/result-store";

/** A result, and when it came. */
export type DatedResult = NewResult & Pick<ResultBatch, "storedAt">;
