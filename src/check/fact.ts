/** One thing that is known of a check, as a person reads it. */
export interface Fact {
  readonly label: string;
  /** May hold what the peer sent: never markup of ours. */
  readonly value: string;
}
