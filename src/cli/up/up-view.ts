import type { Clock } from "#base/clock";
import type { Io } from "#cli/edge/io";
import type { Kind } from "#check/monitor";
import type { Result } from "#check/result";

/** Shows the checks of a running agent to a person; closing it leaves the terminal as it was. */
export interface View extends Disposable {
  result(result: Result): void;
  /** What the service says of the location. */
  location(seen: LocationState): void;
  /** One line that is to stay, as a warning. */
  note(line: string): void;
}

export interface LocationState {
  /** unknown, active or error. */
  readonly status: string;
  /** RFC 3339, null when no agent was ever seen. */
  readonly lastSeenAt: string | null;
}

export interface ViewedMonitor {
  readonly id: string;
  readonly kind: Kind;
  readonly name: string;
}

export interface ViewOptions {
  readonly io: Io;
  readonly clock: Clock;
  readonly monitors: readonly ViewedMonitor[];
  /** What runs and where, in one line. */
  readonly title: string;
}
