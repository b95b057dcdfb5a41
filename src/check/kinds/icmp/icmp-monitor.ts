import type { IcmpAnswer } from "#check/kinds/icmp/icmp-outcome";
import type { Millis } from "#base/units";

/** What an ICMP check asks. */
export interface IcmpTarget {
  readonly kind: "icmp";
  /** A name or an address; an IPv6 address has no brackets. */
  readonly host: string;
  /** Echo requests of one attempt. */
  readonly packets: number;
  /** From one echo request to the next. */
  readonly interval: Millis;
}

/** What only an ICMP monitor has, as it was written. */
interface IcmpFields {
  readonly kind: "icmp";
  readonly uri: string;
  readonly packets: number;
  /** Milliseconds. */
  readonly interval: number;
  /** Percent. */
  readonly lossAssertions: readonly NumberRow[];
  /** Milliseconds. */
  readonly latencyAssertions: readonly NumberRow[];
}

interface NumberRow {
  readonly target: number;
  readonly comparator: string;
}

export interface IcmpTypes {
  readonly target: IcmpTarget;
  readonly fields: IcmpFields;
  readonly answer: IcmpAnswer;
}
