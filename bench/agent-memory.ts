import { parseArgs } from "node:util";
import { seconds } from "#base/units";
import { floodAgent } from "../test/image/flooded-agent.ts";

/*
 * Whether targets can get the agent killed: the bundle with the image's flags in a separate control group, against
 * bodies of 10 MiB and brotli bombs, beside healthy targets. Needs root and control groups.
 *
 *   npm run bench:memory -- [--seconds 120] [--mebibytes 128] [--healthy 20] [--plain 60] [--bomb 20]
 */
const { values: asked } = parseArgs({
  options: {
    seconds: { type: "string", default: "120" },
    mebibytes: { type: "string", default: "128" },
    healthy: { type: "string", default: "20" },
    plain: { type: "string", default: "60" },
    bomb: { type: "string", default: "20" },
  },
});

const flooded = await floodAgent({
  lasts: seconds(Number(asked.seconds)),
  memoryMebibytes: Number(asked.mebibytes),
  counts: {
    healthy: Number(asked.healthy),
    plain: Number(asked.plain),
    bomb: Number(asked.bomb),
  },
});
process.stdout.write(`${JSON.stringify(flooded, null, 2)}\n`);
