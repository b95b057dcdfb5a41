import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";

const root = path.join(import.meta.dirname, "../..");

/** Half as much again as it is: what V8 makes of an object differs from version to version. */
const bytesMax = { definitions: 950, slots: 900, metrics: 2_050, history: 1_600 };

test("a monitor takes no more of the heap than its share, in each part that keeps something of it", () => {
  const flags = ["--expose-gc", "--disable-warning=ExperimentalWarning"];
  const said = execFileSync(process.execPath, [...flags, "bench/monitor-bytes.ts"], {
    cwd: root,
    env: {},
    encoding: "utf8",
  });
  const bytes = new Map(
    said
      .matchAll(/^(\w+): (\d+) bytes/gm)
      .map(([, part = "", number]) => [part, Number(number)] as const),
  );
  for (const [part, max] of Object.entries(bytesMax))
    expect(bytes.get(part), `${part}\n${said}`).toBeLessThan(max);
});
