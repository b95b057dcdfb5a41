/**
 * Begins a statement that makes monitors due for the judge. It counts up, so that what a judge found before is not put
 * over it.
 */
export const makeDue = "UPDATE states SET judge_at = 0, generation = generation + 1 WHERE";
