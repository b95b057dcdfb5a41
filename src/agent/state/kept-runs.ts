import { rmSync } from "node:fs";
import { jsonFields, isMapping } from "#base/json";
import { epochMillis, type EpochMillis } from "#base/units";
import { keepText, keptText, syncFolderOf } from "#machine/kept-text";

/** From when until when an agent ran: each slot in between was checked, or counted as missed. */
export interface RunSpan {
  readonly from: EpochMillis;
  readonly to: EpochMillis;
  /** By monitor the first slot whose check was still to begin, or was cut short, at the end. */
  readonly missed: ReadonlyMap<string, EpochMillis>;
}

/** When the agent of a state directory ran what it ran last. */
export interface KeptRuns {
  /** Which monitors that was, with their periods, as a digest. */
  readonly digest: string;
  /** Oldest first. */
  readonly spans: readonly RunSpan[];
  /** Monitors that came or got another period: what lies before that says nothing of them. Oldest first. */
  readonly since: ReadonlyMap<string, EpochMillis>;
  /** Slots that were checked apart from the spans, as when a run began, by monitor. */
  readonly checked: ReadonlyMap<string, EpochMillis>;
}

/** One file. Throws what the file system says. */
export function keepRuns(file: string, { digest, spans, since, checked }: KeptRuns): void {
  const written = spans.map((span) => ({ ...span, missed: [...span.missed] }));
  const [moved, apart] = [[...since], [...checked]];
  keepText(file, JSON.stringify({ digest, spans: written, since: moved, checked: apart }));
}

/**
 * Takes the file away, so that it counts for one start: an agent that is killed leaves none. Null if there is none, or
 * none that can be read: then a start checks some monitors once more than it has to.
 */
export function takenRuns(file: string): KeptRuns | null {
  try {
    const text = keptText(file);
    if (text === null) return null;
    rmSync(file);
    syncFolderOf(file);
    const { digest, spans, since, checked } = jsonFields(text);
    if (typeof digest !== "string" || !Array.isArray(spans)) return null;
    return {
      digest,
      spans: spans.map(spanOf),
      since: instantsOf(since),
      checked: instantsOf(checked),
    };
  } catch {
    return null;
  }
}

function spanOf(value: unknown): RunSpan {
  if (!isMapping(value)) throw new Error("not a span");
  return {
    from: instantOf(value["from"]),
    to: instantOf(value["to"]),
    missed: instantsOf(value["missed"]),
  };
}

function instantsOf(value: unknown): ReadonlyMap<string, EpochMillis> {
  if (!Array.isArray(value)) throw new Error("not a list");
  return new Map(value.map((pair: unknown) => pairOf(pair)));
}

function pairOf(value: unknown): readonly [string, EpochMillis] {
  const [id, instant]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (typeof id !== "string") throw new Error("not an id");
  return [id, instantOf(instant)];
}

function instantOf(value: unknown): EpochMillis {
  if (typeof value !== "number" || !Number.isSafeInteger(value)) throw new Error("not an instant");
  return epochMillis(value);
}
