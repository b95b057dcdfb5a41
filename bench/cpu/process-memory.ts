import { readdirSync, readFileSync } from "node:fs";
import { type Bytes, kibibytes } from "#base/units";

/** What of a process lies in the machine's memory, from proc(5)'s smaps. */
export interface ProcessMemory {
  readonly rss: Bytes;
  /** Pages that several processes have count in parts. */
  readonly pss: Bytes;
  /** What no file backs: heaps, buffers, stacks. The kernel cannot take it back. */
  readonly anonymous: Bytes;
  /** Pages of the program and its libraries. The kernel can drop them and read them again. */
  readonly fileBacked: Bytes;
}

export function processMemory(pid: number): ProcessMemory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "latin1");
  const field = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(text)?.[1]);
  const [rss, anonymous] = [field("Rss"), field("Anonymous")];
  return {
    rss: kibibytes(rss),
    pss: kibibytes(field("Pss")),
    anonymous: kibibytes(anonymous),
    fileBacked: kibibytes(rss - anonymous),
  };
}

/** Resident memory by what it is, the largest first. */
export function memoryParts(pid: number): readonly (readonly [part: string, rss: Bytes])[] {
  const parts = new Map<string, number>();
  for (const mapping of readFileSync(`/proc/${pid}/smaps`, "latin1").split(/^(?=[\da-f]+-)/m)) {
    const part = partOf(mapping.slice(0, mapping.indexOf("\n")));
    const rss = Number(/^Rss:\s+(\d+) kB$/m.exec(mapping)?.[1]);
    parts.set(part, (parts.get(part) ?? 0) + rss);
  }
  return [...parts].toSorted((a, b) => b[1] - a[1]).map(([part, rss]) => [part, kibibytes(rss)]);
}

/** `7f00-7f01 rw-p 00000000 00:00 0 [heap]` is the first line of a mapping. */
function partOf(line: string): string {
  const [range = "", mode = "", , , , ...rest] = line.split(/\s+/);
  const name = rest.join(" ");
  const what = whats[mode.slice(0, 3)] ?? mode;
  if (name.endsWith(".so") || name.includes(".so.")) return `libraries: ${what}`;
  if (name.startsWith("/")) return `the program: ${what}`;
  if (name !== "") return name;
  // V8's pages lie at multiples of 256 KiB, and glibc's arenas at multiples of 64 MiB.
  return `anonymous: ${what}${mode.startsWith("rw-") && isArena(range) ? " of an arena" : ""}`;
}

const whats: Readonly<Record<string, string>> = {
  "r-x": "code",
  "r--": "constants",
  "rw-": "variables",
  rwx: "compiled code",
};

const isArena = (range: string): boolean =>
  BigInt(`0x${range.split("-")[0] ?? "0"}`) % 0x400_0000n === 0n;

export const openDescriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;
