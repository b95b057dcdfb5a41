import type { NewResult, ResultBatch } from "#store/result-store";

/** A result, and when it came. */
export type DatedResult = NewResult & Pick<ResultBatch, "storedAt">;
