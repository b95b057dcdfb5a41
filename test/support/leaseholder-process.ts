import { minutes } from "#base/units";
import { openQuietly } from "../service/store/conformance/scene.ts";

/** Holds the lease `judge` of a database far longer than any test takes, and says so once others can see that it is there. */
const [database = ""] = process.argv.slice(2);
const store = await openQuietly(database);
const seen = Promise.withResolvers<void>();
// Once it listens, it says that everything may have changed.
store.onChange((_, isCertain) => {
  if (!isCertain) seen.resolve();
});
await seen.promise;
const held = await store.state.leases.hold("holder", ["judge"], minutes(60));
process.stdout.write(`${held.join(" ")}\n`);
