import { jsonFields } from "#base/json";
import { epochMillis, type EpochMillis } from "#base/units";
import { keepText, keptText } from "#machine/kept-text";

/** From when until when an agent ran an assignment as it is: each slot in between was checked, or counted as missed. */
export interface RunSpan {
  readonly from: EpochMillis;
  readonly to: EpochMillis;
}

/** One small file. Throws what the file system says. */
export const keepRunSpan = (file: string, { from, to }: RunSpan): void =>
  keepText(file, JSON.stringify({ from, to }));

/** Null if there is none, or none that can be read: then a start checks some monitors once more than it has to. */
export function keptRunSpan(file: string): RunSpan | null {
  try {
    const { from, to } = jsonFields(keptText(file) ?? "");
    return isInstant(from) && isInstant(to)
      ? { from: epochMillis(from), to: epochMillis(to) }
      : null;
  } catch {
    return null;
  }
}

const isInstant = (value: unknown): value is number => Number.isSafeInteger(value);
