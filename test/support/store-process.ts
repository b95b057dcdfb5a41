import { openStore } from "#service/store/open-store";
import { assigned, slotAfter, someResult } from "../service/store/conformance/scene.ts";

/**
 * A store in a separate process, for tests that kill it: it stores batch after batch, and says after each how many
 * results were acknowledged. Its first line is the monitor and the location.
 */
const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);
const database = process.argv[2] ?? "";
await using store = await openStore({ database, use: "service", onProgress: say });
const { append, location, monitors } = await assigned(store, 20);
process.stdout.write(`${monitors[0]} ${location}\n`);
for (let round = 0; ; round += 1) {
  await append(...monitors.map((monitor) => someResult(monitor, slotAfter(round))));
  process.stdout.write(`${round + 1}\n`);
}
