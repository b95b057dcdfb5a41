import type { Figure } from "./paired-rows.ts";
import type { WatchedKind } from "./targets.ts";

/** Errors of many checks, in microseconds. */
export interface Spread {
  readonly median: number;
  readonly p99: number;
}

export interface KindErrors extends Readonly<Record<Figure, Spread | null>> {
  readonly kind: WatchedKind;
  /** Checks that were found in the capture, and do not say uncertain. */
  readonly checks: number;
}

/** Watched checks whose `wait` is off by more than the goal, and those by what lay between the answer's first packet and last. */
export interface LateWaits {
  readonly all: number;
  readonly joined: number;
}

/** What came of Picket's checks beside one thing. */
export interface ConditionRecord {
  readonly name: string;
  readonly about: string;
  /** Of the machine, when the condition began. */
  readonly load: number;
  /** All checks, those of the neighbours too. */
  readonly checks: number;
  readonly expected: number;
  readonly watched: number;
  readonly uncertain: number;
  /** Watched checks of which a figure is further off than its error bar says. */
  readonly outside: number;
  /** Those that the capture does not have as a whole. */
  readonly unfound: number;
  readonly falseDown: number;
  readonly falseDegraded: number;
  /** Watched checks that were degraded, and whose target the capture does not show to have been well or slow. */
  readonly unjudged: number;
  /** Null in a record that was made before this was looked at. */
  readonly lateWaits: LateWaits | null;
  /** Failures that the agent takes on itself. */
  readonly ownFaults: number;
  readonly why: readonly string[];
  readonly kinds: readonly KindErrors[];
}

export interface ToolRecord extends KindErrors {
  readonly tool: string;
  readonly condition: string;
  readonly failed: number;
}

/** Where, when and of what a run was. */
export interface RunPlace {
  readonly at: string;
  readonly version: string;
  /** Of the sources, with `+` if they had changes. */
  readonly commit: string;
  readonly seconds: number;
  readonly took: number;
  readonly processors: number;
  readonly node: string;
  readonly kernel: string;
}

/** All of one run with a capture: the page is made of it. */
export interface RunRecord extends RunPlace {
  readonly conditions: readonly ConditionRecord[];
  readonly tools: readonly ToolRecord[];
  /** Tools that this machine does not have, and conditions that it cannot make. */
  readonly absent: readonly string[];
}

/** All of one run that has many more checks than the capture has again. */
export interface CountRecord extends RunPlace {
  /** Checks a second, without those of the conditions themselves. */
  readonly rate: number;
  readonly conditions: readonly ConditionRecord[];
}
