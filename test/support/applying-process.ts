import { configurationMessage } from "#cli/apply/configuration-message";
import { readConfiguration } from "#cli/apply/configuration";
import { connectManagement } from "#cli/management/management";
import { directWay } from "#cli/management/service-way";
import { systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { startService } from "#service/server";
import { generationText } from "./configuration-generations.ts";

/**
 * A service in a separate process, for tests that kill it: one generation of 500 objects after the other is applied to
 * it. It says which is under way, and which is done: `applying 7`, `applied 7`.
 */
const [database = "", first = "0"] = process.argv.slice(2);
const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`);
await using service = await startService({
  database,
  host: "127.0.0.1",
  port: 0,
  clock: systemClock,
  log: silentLogger,
});
const { key } = await service.admin.createApiKey({ name: "test", scope: "write" });
const { configuration: calls } = connectManagement(service.url, key, directWay());
for (let generation = Number(first); ; generation += 1) {
  const bytes = Buffer.from(generationText(generation));
  const reading = readConfiguration([{ name: "all", folder: ".", bytes }], {
    activeDefault: true,
    env: {},
  });
  if (!reading.ok) throw new Error(JSON.stringify([...reading.mistakes]));
  const configuration = configurationMessage(reading.configuration, "generations", null);
  say(`applying ${generation}`);
  await calls.applyConfiguration({ configuration, prune: true }, { timeoutMs: 600_000 });
  say(`applied ${generation}`);
}
