import { execFileSync } from "node:child_process";
import path from "node:path";
import { expect, test } from "vitest";
import { imageStart } from "../../../packaging/image-start.ts";

const root = path.join(import.meta.dirname, "../../..");

/** A thread of a process that was started as the image starts one says how large its young generation gets, by turns. */
const program = `
  import { once } from "node:events";
  import { setFlagsFromString } from "node:v8";
  import { Worker } from "node:worker_threads";
  import { letYoungGrowLater } from "#machine/young-generation";
  letYoungGrowLater();
  const thread = new Worker(\`
    import { getHeapSpaceStatistics } from "node:v8";
    import { parentPort } from "node:worker_threads";
    parentPort.on("message", (outliving) => {
      let [kept, most] = [[], 0];
      for (let n = 0; n < 2e6; n += 1) {
        kept.push({ n });
        if (kept.length < outliving) continue;
        kept = [];
        const young = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
        most = Math.max(most, young.space_size);
      }
      parentPort.postMessage(most);
    });\`, { eval: true });
  const size = async (outliving) => {
    thread.postMessage(outliving);
    const [bytes] = await once(thread, "message");
    return bytes;
  };
  const begun = await size(1_000);
  const few = await size(1_000);
  setFlagsFromString("--semi-space-growth-factor=2");
  process.stdout.write(JSON.stringify([begun, few, await size(300_000)]));
  await thread.terminate();
`;

test("the young generation of a probe thread stays small while little outlives it, and may grow in a large process", () => {
  const output = execFileSync(
    process.execPath,
    [...imageStart().flags, "--input-type=module", "--eval", program],
    { cwd: root, encoding: "utf8" },
  );
  const [begun, few, many]: unknown[] = JSON.parse(output);
  // What a thread begins with outlives its young generation too, and on a busy machine makes it larger once.
  expect(few).toBeLessThanOrEqual(Number(begun));
  expect(many).toBeGreaterThan(Number(few));
});
