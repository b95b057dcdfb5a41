import { openStore } from "#service/store/open-store";
import { epochMillis } from "#base/units";

/** A store in a separate process that packs all it has, for tests that kill it: it says each portion that is done. */
const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);
await using store = await openStore({
  database: process.argv[2] ?? "",
  use: "service",
  onProgress: () => {},
});
for (let portion = 1; await store.results.pack(epochMillis(Number(process.argv[3]))); portion += 1)
  say(String(portion));
