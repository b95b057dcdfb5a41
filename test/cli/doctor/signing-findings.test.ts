import { expect, test } from "vitest";
import path from "node:path";
import { readConfig } from "#agent/settings/config";
import { assignmentFile } from "#agent/state/assignment-file";
import { type MonitorDefinition, tcpDefaults } from "#check/definition";
import { signingFindings } from "#cli/doctor/signing-findings";
import { signedMonitor } from "#signing/monitor-signature";
import { newSigningKey } from "#signing/private-key";
import { keyLine } from "#signing/public-key";
import { readAssignment } from "#wire/read-assignment";
import { assignedMonitors } from "#wire/write-assignment";
import { temporaryFolder } from "../../support/running-service.ts";

const key = newSigningKey("ci").key;
const named = (name: string) =>
  ({ ...tcpDefaults, name, periodicity: "30s", uri: `${name}.test:5432` }) as const;

async function saidOf(state: string, keys: string | null): Promise<readonly string[]> {
  const reading = readConfig({
    PICKET_TOKEN: "location-token",
    PICKET_STATE_DIR: state,
    SERVICE_API_URL: "http://127.0.0.1:1",
    ...(keys === null ? {} : { PICKET_TRUSTED_KEYS: keys, PICKET_LOCATION: "office" }),
  });
  if (!reading.ok) return expect.fail(reading.errors.join());
  const found = await signingFindings(reading.config);
  return found.map(({ level, says }) => `${level}: ${says}`);
}

/** Has these monitors in the last assignment of an agent. */
async function keep(state: string, definitions: readonly MonitorDefinition[]): Promise<void> {
  const sent = definitions.map((definition, at) => ({
    id: String(at + 1),
    definition,
    newestSlot: null,
  }));
  await assignmentFile(
    path.join(state, "assignment.json"),
    "http://127.0.0.1:1 location-token",
  ).save(readAssignment(assignedMonitors(sent)));
}

test("it is said whose signatures an agent believes, and which monitors it does not run without one", async () => {
  const state = temporaryFolder();
  const lines = keyLine(key.raw, "ci");
  const believed = `fine: runs only what is signed for office by ci (${key.shown.fingerprint})`;
  expect(await saidOf(state, null)).toEqual([]);
  expect(await saidOf(state, lines)).toEqual([believed]);
  const signature = signedMonitor(
    named("db"),
    { locations: ["office"], signedAt: Date.now() },
    key,
  );
  const signed = { ...named("db"), signature };
  await keep(state, [signed, named("a"), named("b"), named("c"), named("d")]);
  const missing = (name: string): string => `${name} (its signature is missing)`;
  expect(await saidOf(state, lines)).toEqual([
    believed,
    `warning: 4 monitors of the last assignment are not run: ${["a", "b", "c"].map(missing).join(", ")} and 1 more`,
  ]);
});

test("of more monitors that are not run than remarks are kept, it is said that they are at least so many", async () => {
  const state = temporaryFolder();
  const definitions = Array.from({ length: 1_200 }, (_, at) => named(`db${at}`));
  await keep(state, definitions);
  const [, said] = await saidOf(state, keyLine(key.raw, "ci"));
  expect(said).toMatch(
    /^warning: at least 1000 monitors of .+ are not run: .+ and at least 997 more$/,
  );
});
