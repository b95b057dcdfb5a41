import { hostname } from "node:os";
import { expect, test } from "vitest";
import { type Config, readConfig } from "#agent/settings/config";
import { noStateDirectory, openStateDirectory } from "#agent/state/state-directory";
import { instanceOf } from "#cli/agent/agent-state";
import { silentLogger } from "#base/log";
import { temporaryFolder } from "../../support/running-service.ts";

function configOf(env: Readonly<Record<string, string>>): Config {
  const reading = readConfig({ PICKET_TOKEN: "token", ...env });
  return reading.ok ? reading.config : expect.fail(reading.errors.join());
}

test("an agent is called by PICKET_INSTANCE, else by the id that it keeps, else by its host's name", () => {
  const folder = temporaryFolder();
  using state = openStateDirectory(folder, silentLogger);
  expect(instanceOf(configOf({ PICKET_INSTANCE: "north" }), state, silentLogger)).toBe("north");
  const kept = instanceOf(configOf({}), state, silentLogger);
  expect(kept).toMatch(/^[0-9a-f-]{36}$/);
  expect(instanceOf(configOf({}), state, silentLogger)).toBe(kept);
  expect(instanceOf(configOf({}), noStateDirectory, silentLogger)).toBe(hostname());
  using second = openStateDirectory(folder, silentLogger);
  const north = configOf({ PICKET_INSTANCE: "north" });
  expect(instanceOf(north, second, silentLogger)).toBe("north-2");
  expect(instanceOf(configOf({}), second, silentLogger)).not.toBe(kept);
});
