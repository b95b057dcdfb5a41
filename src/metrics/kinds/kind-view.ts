import type { Kind, TargetOf } from "#check/monitor";
import type { OutcomeOf } from "#check/outcome";
import type { Result } from "#check/result";
import type { AttributeName, Instrument } from "#metrics/instrument";
import type { Nanos } from "#base/units";

type More = Readonly<Record<string, string | number>>;

/** Where the figures of one monitor go, as a view of one kind sees it: N are the names that it sets. */
export interface FigureSink<N extends string> {
  set(name: N, value: number, more?: More): void;
  drop(name: N): void;
}

/** What a check of one kind says in figures, in addition to what all kinds say. */
export interface KindView<K extends Kind, N extends string> {
  /** What the series of a monitor say of its target. */
  attributes(target: TargetOf<K>): More;
  /** Under Picket's own names. */
  own(sink: FigureSink<N>, outcome: OutcomeOf<K>): void;
  /** Under those of blackbox_exporter. */
  blackbox(sink: FigureSink<N>, outcome: OutcomeOf<K>, result: Result): void;
  /** Under those of the OpenStatus agent. */
  openStatus(sink: FigureSink<N>, outcome: OutcomeOf<K>, result: Result): void;
  /** What its counters of checks say of the answer. */
  answered(outcome: OutcomeOf<K>): More | undefined;
}

export type Instruments<N extends string> = Readonly<Record<N, Instrument>>;

export const blackboxGauge = (
  unit: string,
  does: string,
  ...more: readonly AttributeName[]
): Instrument => ({
  kind: "gauge",
  unit,
  does,
  attributes: ["instance", ...more],
});

const where: readonly AttributeName[] = ["openstatus.probes", "openstatus.target"];

export const openStatusGauge = (does: string, ...more: readonly AttributeName[]): Instrument => ({
  kind: "gauge",
  unit: "ms",
  does,
  attributes: [...where, ...more],
});

export const seconds = (took: Nanos | null): number => (took ?? 0) / 1e9;

export const milliseconds = (...parts: readonly (Nanos | null)[]): number =>
  parts.reduce<number>((sum, part) => sum + (part ?? 0), 0) / 1e6;
