import type { ShownExchange } from "#cli/check/shown-exchange";
import type { Terminal } from "#cli/edge/terminal";
import type { RunnableMonitor } from "#check/monitor";
import type { Result } from "#check/result";

/** How the checks of one command are written, in one of the formats. */
export interface CheckReport {
  /** What is to be written as soon as a check is decided. */
  add(checked: DecidedCheck): string;
  /** What is to be written when no more follow. */
  end(): string;
}

/** One decided check. */
export interface DecidedCheck {
  readonly monitor: RunnableMonitor;
  /** What the check is called: a name, or the target as it may be shown. */
  readonly called: string;
  /** The target without its secrets. */
  readonly target: string;
  readonly result: Result;
  /** Null if they were not asked for. */
  readonly exchanges: readonly ShownExchange[] | null;
}

export interface ReportOptions {
  readonly terminal: Terminal;
  /** Whether each target is checked more than once. */
  readonly repeated: boolean;
  /** How many targets there are. */
  readonly targets: number;
}

export const formats = ["text", "json", "junit", "prometheus"] as const;
export type Format = (typeof formats)[number];
