/** How many checks are begun, and how often. */
export interface Load {
  readonly name: string;
  /** Checks a second, begun whether or not the ones before have ended. */
  readonly rate: number;
  readonly checks: number;
  /** Whether Picket's main thread is busy all the while. */
  readonly busy: boolean;
}

/** Each load for so many seconds. */
export const loadsFor = (seconds: number): readonly Load[] => [
  { name: "10/s", rate: 10, checks: 10 * seconds * 2, busy: false },
  { name: "100/s", rate: 100, checks: 100 * seconds, busy: false },
  { name: "500/s", rate: 500, checks: 500 * seconds, busy: false },
  { name: "100/s, main thread busy", rate: 100, checks: 100 * seconds, busy: true },
];
