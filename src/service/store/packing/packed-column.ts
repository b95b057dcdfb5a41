import {
  type BitReader,
  bitsOf,
  type BitWriter,
  plainCost,
  riceCost,
} from "#service/store/packing/bits";
import { PackedFault } from "#service/store/packing/packed-fault";

/**
 * One figure of many results: what all have in common once, then by how much each differs, from the usual one or from the
 * one before. Where most do not differ, only those that do are written. The order of the kinds is part of the format.
 */
const kinds = [
  "zeros",
  "ones",
  "constant",
  "plain",
  "near usual",
  "mostly usual",
  "near before",
  "mostly before",
] as const;
type Kind = (typeof kinds)[number];
const kindBits = 3;
const lowBits = 6;
/** Past this a difference of two is no exact number any more. */
const differableMax = 2 ** 50;

/** Whole numbers up to ±(2 ** 53 - 1). */
export function writeColumn(writer: BitWriter, values: readonly number[]): void {
  const { kind, differences, usual } = planOf(values);
  writer.bits(kinds.indexOf(kind), kindBits);
  switch (kind) {
    case "zeros":
    case "ones":
      return;
    case "constant":
      return writer.signed(usual);
    case "plain":
      for (const value of values) writer.signed(value);
      return;
    case "near usual":
    case "near before":
      writer.signed(usual);
      return writeEach(writer, differences);
    case "mostly usual":
    case "mostly before":
      writer.signed(usual);
      return writeExceptions(writer, differences);
  }
}

/** As many numbers as were written. */
export function readColumn(reader: BitReader, count: number): readonly number[] {
  const kind = kinds[reader.bits(kindBits)] ?? "plain";
  switch (kind) {
    case "zeros":
      return filled(count, 0);
    case "ones":
      return filled(count, 1);
    case "constant":
      return filled(count, reader.signed());
    case "plain":
      return Array.from({ length: count }, () => reader.signed());
    case "near usual":
      return fromUsual(reader.signed(), readEach(reader, count));
    case "mostly usual":
      return fromUsual(reader.signed(), readExceptions(reader, count));
    case "near before":
      return fromBefore(reader.signed(), readEach(reader, count));
    case "mostly before":
      return fromBefore(reader.signed(), readExceptions(reader, count));
  }
}

/** How many bits a column takes. */
export const columnCost = (values: readonly number[]): number => planOf(values).cost;

interface Plan {
  readonly kind: Kind;
  readonly cost: number;
  readonly usual: number;
  /** Each as a number that is not negative: 0, -1, 1, -2, … */
  readonly differences: readonly number[];
}

function planOf(values: readonly number[]): Plan {
  const first = values[0] ?? 0;
  const simple = { usual: first, differences: [] };
  if (values.every((value) => value === first))
    return first === 0 || first === 1
      ? { ...simple, kind: first === 0 ? "zeros" : "ones", cost: kindBits }
      : { ...simple, kind: "constant", cost: kindBits + signedCost(first) };
  if (values.some((value) => Math.abs(value) > differableMax))
    return { ...simple, kind: "plain", cost: Infinity };
  const usual = medianOf(values);
  const ofUsual = values.map((value) => folded(value - usual));
  const ofBefore = values.map((value, index) => folded(value - (values[index - 1] ?? usual)));
  const head = kindBits + signedCost(usual);
  const plans: readonly Plan[] = [
    { kind: "near usual", usual, differences: ofUsual, cost: head + eachCost(ofUsual) },
    { kind: "mostly usual", usual, differences: ofUsual, cost: head + exceptionsCost(ofUsual) },
    { kind: "near before", usual, differences: ofBefore, cost: head + eachCost(ofBefore) },
    { kind: "mostly before", usual, differences: ofBefore, cost: head + exceptionsCost(ofBefore) },
  ];
  return plans.reduce((least, one) => (one.cost < least.cost ? one : least));
}

const signedCost = (value: number): number => 1 + plainCost(Math.abs(value));
const folded = (value: number): number => (value >= 0 ? value * 2 : value * -2 - 1);
const unfolded = (value: number): number => (value % 2 === 0 ? value / 2 : (value + 1) / -2);
const filled = (count: number, value: number): readonly number[] =>
  Array.from({ length: count }, () => value);

const fromUsual = (usual: number, differences: readonly number[]): readonly number[] =>
  differences.map((one) => exact(usual + unfolded(one)));

function fromBefore(usual: number, differences: readonly number[]): readonly number[] {
  let before = usual;
  return differences.map((one) => {
    before = exact(before + unfolded(one));
    return before;
  });
}

function exact(value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw new PackedFault("a number in it is too large");
}

function medianOf(values: readonly number[]): number {
  const ordered = Float64Array.from(values).toSorted();
  return ordered[ordered.length >> 1] ?? 0;
}

function writeEach(writer: BitWriter, differences: readonly number[]): void {
  const { low } = lowOf(differences);
  writer.bits(low, lowBits);
  for (const one of differences) writer.rice(one, low);
}

function readEach(reader: BitReader, count: number): readonly number[] {
  const low = readLow(reader);
  return Array.from({ length: count }, () => reader.rice(low));
}

function readLow(reader: BitReader): number {
  const low = reader.bits(lowBits);
  if (low > 52) throw new PackedFault("a code in it has too many bits");
  return low;
}

/** How many differ, how far each is behind the one before, and by how much. */
function writeExceptions(writer: BitWriter, differences: readonly number[]): void {
  const { gaps, amounts } = exceptionsOf(differences);
  writer.plain(gaps.length);
  if (gaps.length === 0) return;
  writeEach(writer, gaps);
  writeEach(writer, amounts);
}

function readExceptions(reader: BitReader, count: number): readonly number[] {
  const differences = Array.from({ length: count }, () => 0);
  const exceptions = reader.plain();
  if (exceptions > count) throw new PackedFault("it has more exceptions than results");
  if (exceptions === 0) return differences;
  const gaps = readEach(reader, exceptions);
  let place = -1;
  readEach(reader, exceptions).forEach((amount, index) => {
    place += 1 + (gaps[index] ?? 0);
    if (place >= count) throw new PackedFault("an exception lies behind its results");
    differences[place] = amount + 1;
  });
  return differences;
}

function exceptionsOf(differences: readonly number[]): {
  readonly gaps: readonly number[];
  readonly amounts: readonly number[];
} {
  const [gaps, amounts]: [number[], number[]] = [[], []];
  let last = -1;
  differences.forEach((one, index) => {
    if (one === 0) return;
    gaps.push(index - last - 1);
    amounts.push(one - 1);
    last = index;
  });
  return { gaps, amounts };
}

const eachCost = (differences: readonly number[]): number => lowBits + lowOf(differences).cost;
function exceptionsCost(differences: readonly number[]): number {
  const { gaps, amounts } = exceptionsOf(differences);
  const count = plainCost(gaps.length);
  return gaps.length === 0 ? count : count + eachCost(gaps) + eachCost(amounts);
}

/** With how many low bits numbers take the least: about as many as the one in the middle has, or a few less. */
function lowOf(numbers: readonly number[]): { readonly low: number; readonly cost: number } {
  const most = middleBits(numbers);
  let best = { low: 0, cost: Infinity };
  for (let low = Math.max(0, most - 2); low <= most; low += 1) {
    let cost = 0;
    for (const one of numbers) cost += riceCost(one, low);
    if (cost < best.cost) best = { low, cost };
  }
  return best;
}

/** How many bits the number in the middle has, without putting them in order. */
function middleBits(numbers: readonly number[]): number {
  const counts = new Uint16Array(64);
  for (const one of numbers) counts[bitsOf(one)] = (counts[bitsOf(one)] ?? 0) + 1;
  let left = numbers.length >> 1;
  return counts.findIndex((count) => (left -= count) < 0);
}
