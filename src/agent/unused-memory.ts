import type * as Ffi from "node:ffi";
import { readFileSync } from "node:fs";
import type { Clock } from "#base/clock";
import * as limits from "#limits/process-limits";

/**
 * Gives the system back what memory is of no use, until it is disposed: soon after the start, and then again and again. What
 * is compiled needs code and memory that nothing needs later, and an agent with few checks compiles for minutes.
 */
export function keepMemorySmall(clock: Clock, open: OpenMemory = openUnusedMemory): Disposable {
  const over = new AbortController();
  void dropUntil(clock, open, over.signal);
  return { [Symbol.dispose]: () => over.abort() };
}

/** Gives what gives memory back; null if it cannot. */
type OpenMemory = () => (() => void) | null;

async function dropUntil(clock: Clock, open: OpenMemory, over: AbortSignal): Promise<void> {
  await clock.sleep(limits.programStartsWithin, over);
  const drop = over.aborted ? null : open();
  if (drop === null) return;
  while (!over.aborted) {
    drop();
    await clock.sleep(limits.unusedMemoryDroppedEvery, over);
  }
}

/**
 * Gives a function that gives back two kinds of memory. One is what was freed between pieces that are still used: the C
 * library keeps it. The other is the program's own pages, code and constants: half of them are of use at the start only.
 * What is used again is mapped again out of the system's file cache. These pages are only ever read, so nothing is lost.
 * Null on another system than Linux, and without node:ffi.
 */
export const openUnusedMemory: OpenMemory = () => {
  try {
    return linuxMemory();
  } catch {
    return null;
  }
};

function linuxMemory(): (() => void) | null {
  // Loaded only here: node:ffi does not exist in other runtimes, and is announced as experimental if it does.
  const ffi: typeof Ffi | undefined = process.getBuiltinModule("node:ffi");
  if (process.platform !== "linux" || ffi === undefined) return null;
  const { lib, functions } = ffi.dlopen(null, {
    madvise: { arguments: ["u64", "u64", "i32"], return: "i32" },
  });
  const mappings = readFileSync("/proc/self/smaps", "latin1");
  const ranges = programRanges(mappings, process.execPath, lib.getSymbol("uv_version"));
  const trim = trimOf(lib);
  return () => {
    trim();
    for (const { from, to } of ranges) functions.madvise(from, to - from, dontNeed);
  };
}

/** glibc's alone has it. */
function trimOf(lib: Ffi.DynamicLibrary): () => void {
  try {
    const trim = lib.getFunction("malloc_trim", { arguments: ["u64"], return: "i32" });
    return () => void trim(0n);
  } catch {
    return () => {};
  }
}

/** MADV_DONTNEED of asm-generic/mman-common.h. */
const dontNeed = 4;

/** A piece of this process's addresses. */
interface AddressRange {
  readonly from: bigint;
  readonly to: bigint;
}

/**
 * Where the file `program` lies that nothing was written to, by the text of proc(5)'s smaps. None if `own`, the address
 * of a function of the program, is not code of it: then the text is not of this process, as in an emulator.
 */
export function programRanges(
  smaps: string,
  program: string,
  own: bigint,
): readonly AddressRange[] {
  const mappings = smaps.split(/^(?=[\da-f]+-[\da-f]+ )/m).flatMap((text) => mappingOf(text));
  const ours = mappings.filter(({ file }) => file === program);
  const holdsOwn = ours.some(({ mode, from, to }) => mode === "r-xp" && from <= own && own < to);
  if (!holdsOwn) return [];
  return ours
    .filter(({ mode, untouched }) => (mode === "r-xp" || mode === "r--p") && untouched)
    .map(({ from, to }) => ({ from, to }));
}

interface Mapping extends AddressRange {
  readonly mode: string;
  readonly file: string;
  /** None of its pages is this process's own copy. */
  readonly untouched: boolean;
}

/** `00400000-0082e000 r--p 00000000 fe:00 10944827     /usr/local/bin/node`, and lines of its figures. */
function mappingOf(text: string): readonly Mapping[] {
  const found = /^([\da-f]+)-([\da-f]+) (\S+) \S+ \S+ \S+ +(\/.*)$/m.exec(text);
  if (found === null) return [];
  const [, from = "", to = "", mode = "", file = ""] = found;
  const untouched = /^Anonymous: +0 kB$/m.test(text) && /^Private_Dirty: +0 kB$/m.test(text);
  return [{ from: BigInt(`0x${from}`), to: BigInt(`0x${to}`), mode, file, untouched }];
}
