import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { keepMemorySmall, openUnusedMemory, programRanges } from "#agent/unused-memory";
import * as limits from "#limits/process-limits";
import { FakeClock } from "../support/fake-clock.ts";

/** Kibibytes of the program's file in this process's memory. */
function programInMemory(): number {
  const mappings = readFileSync("/proc/self/smaps", "latin1").split(/^(?=[\da-f]+-[\da-f]+ )/m);
  return mappings
    .filter((text) => text.split("\n", 1)[0]?.endsWith(` ${process.execPath}`))
    .reduce((sum, text) => sum + Number(/^Rss: +(\d+) kB$/m.exec(text)?.[1]), 0);
}

test("what the program no longer uses is let go, and it works on as before", () => {
  const work = (): readonly string[] => [
    createHash("sha256").update("picket").digest("hex"),
    gzipSync("picket".repeat(1_000)).toString("hex"),
    new Intl.NumberFormat("de").format(1_234.5),
    "Ärger".normalize("NFD").toLocaleUpperCase("de"),
  ];
  const expected = work();
  const drop = openUnusedMemory();
  const before = programInMemory();
  drop?.();
  expect([drop === null, programInMemory() < before]).toEqual([false, true]);
  for (let round = 0; round < 20; round += 1) {
    drop?.();
    expect(work()).toEqual(expected);
  }
});

const mappings = (
  relro: string,
): string => `00400000-0082e000 r--p 00000000 fe:00 10944827                           /opt/node
Rss:                4280 kB
Private_Dirty:         0 kB
Anonymous:             0 kB
0082e000-03489000 r-xp 0042e000 fe:00 10944827                           /opt/node
Private_Dirty:         0 kB
Anonymous:             0 kB
072a7000-072dc000 r--p 06ea7000 fe:00 10944827                           /opt/node
Private_Dirty:        ${relro} kB
Anonymous:            ${relro} kB
072dc000-0735a000 rw-p 06edc000 fe:00 10944827                           /opt/node
Private_Dirty:         0 kB
Anonymous:             0 kB
0735a000-09000000 rw-p 00000000 00:00 0                                  [heap]
Private_Dirty:      4280 kB
Anonymous:          4280 kB
7f0000000000-7f0000200000 r-xp 00000000 fe:00 99                         /usr/lib/libc.so.6
Private_Dirty:         0 kB
Anonymous:             0 kB
`;
const head = { from: 0x40_0000n, to: 0x82_e000n };
const code = { from: 0x82_e000n, to: 0x348_9000n };

test.each([
  [
    "a page that was written to stays, with all of its mapping",
    "24",
    "/opt/node",
    0x90_0000n,
    [head, code],
  ],
  [
    "constants that nothing was written to go",
    "0",
    "/opt/node",
    0x90_0000n,
    [head, code, { from: 0x72a_7000n, to: 0x72d_c000n }],
  ],
  ["the text of another process is not believed", "0", "/opt/node", 0x7f00_0000_0000n, []],
  ["a program that was replaced meanwhile is left alone", "0", "/opt/node2", 0x90_0000n, []],
])("%s", (_, relro, program, own, expected) => {
  expect(programRanges(mappings(relro), program, own)).toEqual(expected);
});

test("what was freed between pieces that are still used goes back to the system", () => {
  const module = new URL("../../src/agent/unused-memory.ts", import.meta.url).href;
  // Each tenth of a thousand pieces stays; what lies between is freed in the background.
  const program = `
    import { readFileSync } from "node:fs";
    import { openUnusedMemory } from ${JSON.stringify(module)};
    const anonymous = () => Number(/^Anonymous: +(\\d+) kB$/m.exec(readFileSync("/proc/self/smaps_rollup", "latin1"))[1]);
    const drop = openUnusedMemory();
    let pieces = Array.from({ length: 1000 }, () => Buffer.alloc(65536, 1));
    const before = anonymous();
    pieces = pieces.filter((_, n) => n % 10 === 0);
    let freed = 0;
    for (let round = 0; round < 200 && freed < 40000; round += 1) {
      gc();
      await new Promise(setImmediate);
      drop();
      freed = before - anonymous();
    }
    console.log(freed >= 40000 ? "at least 40 MB" : freed + " kB", pieces.length);`;
  const flags = ["--expose-gc", "--disable-warning=ExperimentalWarning", "--input-type=module"];
  const said = execFileSync(process.execPath, [...flags, "-e", program], {
    env: { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "131072" },
    encoding: "utf8",
  });
  expect(said).toBe("at least 40 MB 100\n");
});

test("memory goes back once the start is over, and every half minute from then on, until the agent ends", async () => {
  const clock = new FakeClock();
  const seen: string[] = [];
  const small = keepMemorySmall(clock, () => {
    seen.push("found");
    return () => void seen.push("dropped");
  });
  await clock.advance(limits.programStartsWithin - 1);
  expect(seen).toEqual([]);
  await clock.advance(1);
  expect(seen).toEqual(["found", "dropped"]);
  for (let drops = 2; drops <= 20; drops += 1) {
    await clock.advance(29_999);
    expect(seen).toHaveLength(drops);
    await clock.advance(1);
    expect(seen).toHaveLength(drops + 1);
  }
  small[Symbol.dispose]();
  await clock.advance(limits.unusedMemoryDroppedEvery);
  expect([seen.length, clock.sleeping]).toEqual([21, 0]);
});

test("if memory cannot be given back, nothing is tried again", async () => {
  const clock = new FakeClock();
  using _ = keepMemorySmall(clock, () => null);
  await clock.advance(limits.programStartsWithin);
  expect(clock.sleeping).toBe(0);
});
