import { parsedJson } from "#base/json";
import { thrownText } from "#base/text";
import { statSync } from "node:fs";
import type { ResultPoint } from "#web/page/sparkline";
import { resultStatuses, type ResultStatus } from "#check/verdict";
import type { Clock } from "#base/clock";
import type { History, KeptTrace } from "#agent/endpoint/history";
import * as limits from "#limits/pages-limits";
import type { Logger } from "#base/log";
import { keepPieces, keptText } from "#machine/kept-text";
import { epochMillis, millis } from "#base/units";

interface KeptHistoryParts {
  /** Null if the agent keeps nothing. */
  readonly file: string | null;
  readonly history: History;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Gives a history back what it knew when the agent last ended, and keeps it until it is disposed: now and then, because
 * a kill asks no one, and at the end. The page can do without it, so a file that fails is logged and no more.
 */
export function keepHistory(parts: KeptHistoryParts): AsyncDisposable {
  const { file, history } = parts;
  if (file === null) return { [Symbol.asyncDispose]: async () => {} };
  load(file, parts);
  const over = new AbortController();
  const saving = saveUntil(file, parts, over.signal);
  return {
    [Symbol.asyncDispose]: async () => {
      over.abort();
      await saving;
      if (history.notes > 0) save(file, parts);
    },
  };
}

async function saveUntil(file: string, parts: KeptHistoryParts, over: AbortSignal): Promise<void> {
  let notes = 0;
  while (!over.aborted) {
    await parts.clock.sleep(limits.historySaveEvery, over);
    if (over.aborted || parts.history.notes === notes) continue;
    notes = parts.history.notes;
    save(file, parts);
  }
}

/** A line for each monitor, after the version. */
function save(file: string, { history, log }: KeptHistoryParts): void {
  try {
    keepPieces(file, piecesOf(history));
  } catch (error) {
    log.warn("the page's history cannot be saved: it is empty after a restart", {
      file,
      "error.message": thrownText(error),
    });
  }
}

function load(file: string, { history, log }: KeptHistoryParts): void {
  try {
    const bytes = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    if (bytes > limits.historyFileBytesMax) throw new Error(`it has ${bytes} bytes`);
    const [version, ...lines] = (keptText(file) ?? "").split("\n");
    if (version !== header) return;
    for (const line of lines) {
      const trace = traceOf(parsedJson(line));
      if (trace !== null) history.restore(trace);
    }
  } catch (error) {
    log.warn("the page's history cannot be read: it starts empty", {
      file,
      "error.message": thrownText(error),
    });
  }
}

const header = "picket history 1";

/** The whole text of ten thousand monitors has 6 MB. */
function* piecesOf(history: History): Generator<string> {
  let piece = header;
  const pointsEach = Math.max(1, Math.floor(limits.historyPointsSavedMax / history.size));
  for (const trace of history.kept()) {
    piece += `\n${lineOf(trace, pointsEach)}`;
    if (piece.length < limits.historyPieceChars) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

const lineOf = ({ monitorId, uri, standing, points }: KeptTrace, pointsMax: number): string =>
  JSON.stringify([monitorId, uri, standing, points.slice(-pointsMax).map(pointNumbers)]);

const pointNumbers = ({ slot, status, latency, uncertain }: ResultPoint): readonly number[] => [
  slot,
  resultStatuses.indexOf(status),
  latency,
  uncertain ? 1 : 0,
];

/** Null for a line that is not one of ours, e.g. the end of a file that was damaged. */
function traceOf(line: unknown): KeptTrace | null {
  if (!Array.isArray(line)) return null;
  const [monitorId, uri, standing, points]: readonly unknown[] = line;
  if (typeof monitorId !== "string" || typeof uri !== "string" || !isStatus(standing)) return null;
  if (!Array.isArray(points)) return null;
  return {
    monitorId,
    uri,
    standing,
    points: points.slice(-limits.monitorHistoryMax).flatMap((point) => pointOf(point) ?? []),
  };
}

const isStatus = (word: unknown): word is ResultStatus =>
  resultStatuses.some((one) => one === word);

const isWhole = (one: unknown): one is number => Number.isSafeInteger(one);

function pointOf(numbers: unknown): ResultPoint | null {
  if (!Array.isArray(numbers) || !numbers.every((one) => Number.isFinite(one) && one >= 0))
    return null;
  const [slot, statusIndex, latency, uncertain]: readonly unknown[] = numbers;
  if (!isWhole(slot) || typeof latency !== "number") return null;
  const status = typeof statusIndex === "number" ? resultStatuses[statusIndex] : undefined;
  if (status === undefined) return null;
  return {
    slot: epochMillis(slot),
    status,
    latency: millis(latency),
    uncertain: uncertain === 1,
  };
}
