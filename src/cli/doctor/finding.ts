import { thrownText } from "#base/text";
import { systemClock } from "#base/clock";
import * as limits from "#limits/cli-limits";

/** What one examination of `picket doctor` found: one line, and what to do if it is not fine. */
export interface Finding {
  readonly about: string;
  readonly level: "fine" | "warning" | "failed";
  readonly says: string;
  /** Null if there is nothing to do. */
  readonly next: string | null;
}

export const fine = (about: string, says: string): Finding => ({
  about,
  level: "fine",
  says,
  next: null,
});

export const warning = (about: string, says: string, next: string): Finding => ({
  about,
  level: "warning",
  says,
  next,
});

export const failed = (about: string, says: string, next: string): Finding => ({
  about,
  level: "failed",
  says,
  next,
});

/** Runs one examination: whatever goes wrong in it, and if it never ends, is its own finding and no other's. */
export async function examine(
  about: string,
  look: () => Promise<readonly Finding[]> | readonly Finding[],
): Promise<readonly Finding[]> {
  const done = new AbortController();
  const late = systemClock
    .sleep(limits.examinationMax, done.signal)
    .then(() => [failed(about, "the check timed out", "run this again")]);
  try {
    return await Promise.race([Promise.resolve().then(look), late]);
  } catch (error) {
    const why = thrownText(error);
    return [failed(about, `this could not be checked: ${why}`, "fix that and run this again")];
  } finally {
    done.abort();
  }
}
