import { readTrustedSigners } from "#agent/settings/trusted-signers";
import { SignedMonitors } from "#agent/signing/signed-monitors";
import { SignedTimes } from "#agent/state/signed-times";
import { httpDefaults } from "#check/definition";
import { signedMonitor } from "#signing/monitor-signature";
import { newSigningKey } from "#signing/private-key";
import { keyLine } from "#signing/public-key";
import { readAssignment } from "#wire/read-assignment";
import { assignedMonitors } from "#wire/write-assignment";

/* What 10,000 signed monitors cost an agent at its start, and when the same come again. `npm run bench:signatures` */

const count = 10_000;
const { key } = newSigningKey("bench");
const signed = { locations: ["office"], signedAt: Date.now() };
const monitors = Array.from({ length: count }, (_, index) => {
  const definition = {
    ...httpDefaults,
    name: `monitor ${index}`,
    periodicity: "1m",
    url: `https://shop-${index}.test/health`,
    headers: [{ key: "Authorization", value: "Bearer {{secret:shop}}" }],
    statusCodeAssertions: [{ comparator: "eq", target: 200 }],
  };
  const signature = signedMonitor(definition, signed, key);
  return { id: String(index), definition: { ...definition, signature }, newestSlot: null };
});
const assignment = readAssignment(assignedMonitors(monitors));

const env = { PICKET_TRUSTED_KEYS: keyLine(key.raw, ""), PICKET_LOCATION: "office" };
const signers = readTrustedSigners(env);
if (!signers.ok || signers.value === null) throw new Error("the key cannot be read");
const silent = (): void => {};
const log = { debug: silent, info: silent, warn: silent, error: silent };
const gate = new SignedMonitors({
  ...signers.value,
  times: new SignedTimes(null, log),
  now: () => Date.now(),
});

async function measured(what: string): Promise<void> {
  const before = process.cpuUsage();
  // The longest that anything else of the thread had to wait.
  let longest = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  const admitted = await gate.admit(assignment);
  clearInterval(beat);
  const { user, system } = process.cpuUsage(before);
  const run = admitted.monitors.filter(({ rejection }) => rejection === null).length;
  process.stdout.write(
    `${what}: ${run} of ${count} monitors run; ${((user + system) / 1e6).toFixed(2)} s of a processor; others waited ${longest.toFixed(0)} ms at most\n`,
  );
}

await measured("at the start");
await measured("the same again");
