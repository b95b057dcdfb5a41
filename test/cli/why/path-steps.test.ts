import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { pathFile } from "#agent/state/path-file";
import type { KnownPath } from "#check/known-path";
import { pathSteps } from "#cli/why/path-steps";
import { systemClock } from "#base/clock";
import { after, minutes, nanos } from "#base/units";
import { httpOutcome, resultWith } from "../../support/results.ts";
import { memoryLog } from "../../support/twins.ts";

function stateDirectory(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "picket-paths-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const now = systemClock.wall();
const hop = (ttl: number, address: string) => ({
  ttl,
  address,
  roundTrip: nanos(400_000),
  since: after(now, minutes(-60)),
  seenAt: after(now, minutes(-5)),
  times: 12,
  silent: 0,
  others: [{ address: "10.9.9.9", seenAt: after(now, minutes(-90)) }],
  flippedAt: null,
});
const known: KnownPath = {
  network: "10.2.0.0/24",
  flow: { protocol: "tcp", address: "10.2.0.7", port: 443, sourcePort: 61_000 },
  hops: [hop(1, "10.0.0.1"), hop(3, "10.1.9.2")],
  length: 4,
  tracedAt: after(now, minutes(-5)),
  changes: [
    {
      kind: "replaced",
      ttl: 3,
      gone: "10.1.9.1",
      came: "10.1.9.2",
      before: after(now, minutes(-75)),
      at: after(now, minutes(-60)),
    },
  ],
};
const passedAt = (address: string) =>
  resultWith({
    outcome: httpOutcome({
      addresses: [
        { address, port: 443, ended: "connected", measuredBy: "event", elapsed: nanos(1e6) },
      ],
    }),
  });

test("the path that the agent here keeps is shown with its age and what changed, and no other network's", async () => {
  const folder = stateDirectory();
  const env = { PICKET_STATE_DIR: folder };
  const { signal } = new AbortController();
  expect(await pathSteps(passedAt("10.2.0.7"), env, signal)).toEqual([]);
  pathFile(path.join(folder, "paths.json"), memoryLog()).save([known]);
  const steps = await pathSteps(passedAt("10.2.0.9"), env, signal);
  expect(
    steps.map(({ step, says }) => `${step}: ${says.replaceAll(/(\d+ min) \d+ s/g, "$1")}`),
  ).toEqual([
    "path before: 1 10.0.0.1, 2 silent, 3 10.1.9.2, 4 the target, 5 min ago",
    "path changed: 1 h ago, hop 3 is 10.1.9.2, and was 10.1.9.1; as before 1 h 15 min ago",
  ]);
  expect(await pathSteps(passedAt("10.3.0.9"), env, signal)).toEqual([]);
});

test("a file of paths gives back what was kept, and a damaged one is learned anew", () => {
  const file = path.join(stateDirectory(), "paths.json");
  const log = memoryLog();
  const memory = pathFile(file, log);
  expect(memory.load()).toEqual([]);
  memory.save([known]);
  expect(memory.load()).toEqual([known]);
  writeFileSync(file, '{"paths": [');
  expect(memory.load()).toEqual([]);
});
