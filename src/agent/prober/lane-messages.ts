import type { LatencyEnd } from "#check/outcome";
import type { Monitor } from "#check/monitor";
import type { Result } from "#check/result";
import type { LogFields } from "#base/log";
import type { MissedSlots } from "#agent/prober/schedule/missed-slots";
import type { ProbeThreadOptions } from "#agent/prober/prober";
import type { SecretTable } from "#agent/secrets/secret-table";
import type { SocketsInUse } from "#probes/raw/open-sockets";
import type { Standing } from "#agent/prober/schedule/standing";
import type { TargetRules } from "#network/target-rules";
import type { EpochMillis, Millis, Nanos } from "#base/units";

/** What a thread is started with. */
export interface ThreadOptions extends ProbeThreadOptions {
  readonly checks: ChecksOptions;
}

export interface ChecksOptions {
  readonly concurrency: number;
  readonly latencyEnd: LatencyEnd;
  /** The memory of a Board. */
  readonly board: SharedArrayBuffer;
  /** The location's secrets when the thread starts. */
  readonly secrets: SecretTable | null;
}

/** What the main thread asks of a thread: plain values, which are copied. */
export type LaneRequest =
  | {
      readonly ask: "apply";
      readonly start: readonly MonitorEdition[];
      readonly change: readonly MonitorEdition[];
      readonly stop: readonly string[];
      readonly newest: ReadonlyMap<string, EpochMillis>;
      /** Of monitors that the thread before this one had. */
      readonly standings: ReadonlyMap<string, Standing>;
    }
  | { readonly ask: "take_slots" | "leave_slots" | "abort" }
  | { readonly ask: "free"; readonly monitorId: string; readonly slot: EpochMillis }
  | { readonly ask: "check_now"; readonly id: number; readonly monitor: Monitor }
  | { readonly ask: "cancel_check"; readonly id: number }
  /** The location's secrets are these from now on. */
  | { readonly ask: "secrets"; readonly table: SecretTable | null }
  /** What targets may be from now on. */
  | { readonly ask: "targets"; readonly rules: TargetRules }
  /** Answered when all checks that run now have ended, and everything of them was sent. */
  | { readonly ask: "settle"; readonly id: number };

/** A monitor, and the number by which its results call it: it may have changed when they come. */
export interface MonitorEdition {
  readonly edition: number;
  readonly monitor: Monitor;
}

export type LaneReply =
  | { readonly answer: "ready"; readonly sockets: SocketsInUse }
  | {
      readonly answer: "batch";
      readonly decided: readonly SentResult[];
      readonly missed: readonly MissedSlots[];
    }
  /** Null: the question was taken back before. */
  | { readonly answer: "checked"; readonly id: number; readonly payload: Uint8Array | null }
  | { readonly answer: "settled"; readonly id: number }
  | { readonly answer: "fault"; readonly message: string; readonly fields: LogFields };

/** A decided check as it crosses: its report is encoded already, so of the response only the facts go along. */
export interface SentResult {
  readonly edition: number;
  readonly result: Result;
  readonly payload: Uint8Array;
  readonly lateness: Millis | null;
  /** By the clock that all threads read alike: results wait for company before they cross. */
  readonly decidedAt: Nanos;
}
