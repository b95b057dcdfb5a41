import { crc32 } from "node:zlib";
import * as storeLimits from "#limits/store-limits";
import { phaseNames } from "#check/outcome";
import { BitReader, BitWriter } from "#service/store/packing/bits";
import { columnCost, readColumn, writeColumn } from "#service/store/packing/packed-column";
import { PackedFault } from "#service/store/packing/packed-fault";
import type { ResultRow } from "#service/store/packing/result-row";

/*
 * The results of one series in one hour, in the order of their slots, figure by figure:
 *
 *   byte 0      the version of the format
 *   bytes 1–4   the CRC-32 of all that follows
 *   then bits   how many results; their slots, from the beginning of the hour; each figure of packed-column.ts
 *
 * A bit that is not as it was written is noticed, and costs this hour.
 */
const version = 1;
const headBytes = 5;

/** Null if they cannot be packed, because they are too many or have figures that no version of ours writes. */
export function packHour(begin: number, rows: readonly ResultRow[]): Uint8Array | null {
  if (rows.length === 0 || rows.length > storeLimits.packedResultsMax || !rows.every(canBePacked))
    return null;
  const first = (rows[0]?.slot ?? 0) - begin;
  const behind = rows.slice(1).map(({ slot }, index) => slot - (rows[index]?.slot ?? 0));
  if (![first, ...behind].every(Number.isSafeInteger)) return null;
  const writer = new BitWriter();
  writer.plain(rows.length);
  writer.signed(first);
  writeColumn(writer, behind);
  for (const of of figures) writeColumn(writer, rows.map(of));
  writeTimes(writer, rows);
  writeGuessed(
    writer,
    rows.map(({ latency }) => latency),
    rows.map(guessedLatency),
  );
  writeGuessed(
    writer,
    rows.map(({ stored }) => stored),
    rows.map(guessedStored),
  );
  const bits = writer.finish();
  const body = new Uint8Array(headBytes + bits.length);
  body.set(bits, headBytes);
  const view = new DataView(body.buffer);
  view.setUint8(0, version);
  view.setUint32(1, crc32(bits));
  return body;
}

/** The same results again. Throws a PackedFault for bytes that are something else, and takes no more memory for them. */
export function unpackHour(begin: number, body: Uint8Array): readonly ResultRow[] {
  const reader = readerOf(body);
  const slots = readSlots(reader, begin);
  const count = slots.length;
  const [status, started, statusCode, failure, attempts, asked] = figures.map(() =>
    readColumn(reader, count),
  );
  const times = readTimes(reader, count);
  const rows = slots.map((slot, index) => ({
    slot,
    status: status?.[index] ?? 0,
    started: started?.[index] ?? 0,
    statusCode: statusCode?.[index] ?? 0,
    failure: failure?.[index] ?? 0,
    attempts: attempts?.[index] ?? 0,
    asked: asked?.[index] ?? 0,
    times: times[index] ?? [],
  }));
  const latency = readGuessed(reader, rows.map(guessedLatency));
  const timed = rows.map((row, index) => ({ ...row, latency: latency[index] ?? 0 }));
  const stored = readGuessed(reader, timed.map(guessedStored));
  return timed.map((row, index) => ({ ...row, stored: stored[index] ?? 0 }));
}

/** Their slots alone, which takes a part of the time. */
export const slotsIn = (begin: number, body: Uint8Array): readonly number[] =>
  readSlots(readerOf(body), begin);

/** In the order of the format. */
const figures: readonly ((row: ResultRow) => number)[] = [
  ({ status }) => status,
  ({ started }) => started,
  ({ statusCode }) => statusCode,
  ({ failure }) => failure,
  ({ attempts }) => attempts,
  ({ asked }) => asked,
];

function canBePacked({ slot, latency, stored, times, ...row }: ResultRow): boolean {
  const whole = { ...row, slot, latency, stored, times };
  return (
    times.length <= storeLimits.packedTimesMax &&
    times.at(-1) !== 0 &&
    [slot, latency, stored, ...times, ...figures.map((of) => of(whole))].every(Number.isSafeInteger)
  );
}

function readerOf(body: Uint8Array): BitReader {
  if (body.length < headBytes) throw new PackedFault("it is too short");
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (view.getUint8(0) !== version)
    throw new PackedFault(
      `it has version ${view.getUint8(0)} of the format, which is unknown here`,
    );
  if (view.getUint32(1) !== crc32(body.subarray(headBytes)))
    throw new PackedFault("its checksum is wrong");
  return new BitReader(body, headBytes);
}

function readSlots(reader: BitReader, begin: number): readonly number[] {
  const count = reader.plain();
  if (count === 0 || count > storeLimits.packedResultsMax)
    throw new PackedFault(`it says that it has ${count} results`);
  let slot = begin + reader.signed();
  return [
    slot,
    ...readColumn(reader, count - 1).map((behind) => {
      slot += behind;
      return slot;
    }),
  ];
}

/** Each time in two columns: where there is one, and those that there are. */
function writeTimes(writer: BitWriter, rows: readonly ResultRow[]): void {
  const width = rows.reduce((most, { times }) => Math.max(most, times.length), 0);
  writer.plain(width);
  for (let index = 0; index < width; index += 1) {
    const all = rows.map(({ times }) => times[index] ?? 0);
    writeColumn(
      writer,
      all.map((time) => Number(time !== 0)),
    );
    writeColumn(
      writer,
      all.filter((time) => time !== 0),
    );
  }
}

function readTimes(reader: BitReader, count: number): readonly (readonly number[])[] {
  const width = reader.plain();
  if (width > storeLimits.packedTimesMax) throw new PackedFault("its results have too many times");
  const all = Array.from({ length: count }, (): number[] => []);
  for (let index = 0; index < width; index += 1) {
    const isThere = readColumn(reader, count);
    const present = isThere.reduce((sum, one) => sum + Number(one !== 0), 0);
    const values = readColumn(reader, present).values();
    isThere.forEach((there, row) => all[row]?.push(there === 0 ? 0 : (values.next().value ?? 0)));
  }
  return all.map((times) => times.slice(0, times.findLastIndex((time) => time !== 0) + 1));
}

/** A figure that mostly follows from others: how far it is from that, if this takes less. */
function writeGuessed(
  writer: BitWriter,
  values: readonly number[],
  guesses: readonly number[],
): void {
  const apart = values.map((value, index) => value - (guesses[index] ?? 0));
  const isExact = [...apart, ...guesses].every(Number.isSafeInteger);
  const isNear = isExact && columnCost(apart) < columnCost(values);
  writer.bits(Number(isNear), 1);
  writeColumn(writer, isNear ? apart : values);
}

function readGuessed(reader: BitReader, guesses: readonly number[]): readonly number[] {
  const isNear = reader.bits(1) === 1;
  const values = readColumn(reader, guesses.length);
  return isNear ? values.map((value, index) => value + (guesses[index] ?? 0)) : values;
}

/** Phases are kept in microseconds and one more, and sum to the latency. */
const guessedLatency = ({ times }: Pick<ResultRow, "times">): number => {
  const phases = times.slice(0, phaseNames.length);
  return Math.round(phases.reduce((sum, time) => sum + Math.max(0, time - 1), 0) / 1e3);
};
/** What is done is reported soon. */
const guessedStored = ({ started, latency }: Pick<ResultRow, "started" | "latency">): number =>
  started + latency;
