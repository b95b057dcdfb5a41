/** Who this agent is, in the words of its configuration. */
export interface Identity {
  readonly version: string;
  readonly instance: string;
  /** May hold user-info: not to be shown as it is. */
  readonly serviceUrl: string;
}
