/** One thing that is known of a check, as a person reads it. */
export interface Fact {
  readonly label: string;
  /** May hold what the peer sent: never markup of ours. */
  readonly value: string;
}

/** `brief` is a few short lines for a page; `full` is everything, for a person who looks at one check. */
export type Detail = "brief" | "full";
