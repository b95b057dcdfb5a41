import type { FailureCode } from "#check/failure";
import { cutText, showText } from "#base/text";
import * as limits from "#limits/check-limits";

/**
 * Where a definition comes in. "management" is a person's request, and the specification's limits hold. "assignment"
 * is what a service already let pass: it is run as well as it can be, and what cannot be used is left out.
 */
export type Door = "management" | "assignment";

/** One thing that is wrong with what a person or a program wrote. */
export interface Mistake {
  /** The argument name of the specification: `headers[2].key`. */
  readonly field: string;
  /** Completes the sentence that begins with the field: `must be one of …`. Quotes nothing that may be a secret. */
  readonly message: string;
}

/** A mistake in a monitor, and the code of its failure where the monitor runs anyway. */
export interface Violation extends Mistake {
  readonly code: FailureCode;
}

/** What was left out of a monitor, or changed, so that the rest of it runs: `is empty: the header is not sent`. */
export type Remark = Mistake;

/** What the rules found in one definition, and how strict they are: that is all in which the doors differ. */
export class Findings {
  readonly door: Door;
  readonly violations: Violation[] = [];
  readonly remarks: Remark[] = [];

  constructor(door: Door) {
    this.door = door;
  }

  /** The definition cannot be run as it is, whoever wrote it. Gives null, for a reader to pass on. */
  violate(field: string, message: string, code: FailureCode = "invalid_setting"): null {
    this.violations.push({ field, message, code });
    return null;
  }

  /** A person is asked to correct it. Of a service, the monitor runs all the same, and `instead` says how. */
  tolerate(
    field: string,
    message: string,
    instead: string,
    code: FailureCode = "invalid_setting",
  ): null {
    if (this.door === "management") return this.violate(field, message, code);
    return this.remark(field, `${message}: ${instead}`);
  }

  /** The specification's count holds for a person; of a service, as many are used as one monitor can sensibly have. */
  checkCount(field: string, count: number, managementMax: number): void {
    const max = this.door === "management" ? managementMax : limits.assignedEntriesMax;
    if (count > max) this.violate(field, `has ${count} entries, more than ${max}`);
  }

  /** Nothing is wrong, and a person may still wonder. */
  remark(field: string, message: string): null {
    this.remarks.push({ field, message });
    return null;
  }
}

/** A written word, as a sentence quotes it. */
export const quoted = (text: string): string =>
  `"${showText(cutText(text, limits.quotedCharsMax))}"`;
