import { create } from "@bufbuild/protobuf";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readConfig } from "#agent/settings/config";
import { readTrustedSigners } from "#agent/settings/trusted-signers";
import { SignedMonitors } from "#agent/signing/signed-monitors";
import { signedControlPlane, signedMemory } from "#agent/signing/signed-service";
import { type AssignmentMemory, noAssignmentMemory } from "#agent/state/assignment-file";
import { SignedTimes } from "#agent/state/signed-times";
import { openStateDirectory, type StateDirectory } from "#agent/state/state-directory";
import { linkOf } from "#cli/agent/agent-link";
import { httpDefaults, type MonitorDefinition, tcpDefaults } from "#check/definition";
import { MonitorsResponseSchema } from "#contract/private_location/v1/private_location_pb";
import { signedTimesMax } from "#limits/signing-limits";
import { signedMonitor } from "#signing/monitor-signature";
import { newSigningKey } from "#signing/private-key";
import { keyLine } from "#signing/public-key";
import { readAssignment } from "#wire/read-assignment";
import { assignedMonitors } from "#wire/write-assignment";
import { temporaryFolder } from "../../support/running-service.ts";
import { memoryLog } from "../../support/twins.ts";

const now = Date.parse("2026-11-24T10:00:00Z");
const trusted = newSigningKey("ci").key;
const stranger = newSigningKey("mallory").key;

const http: MonitorDefinition = {
  ...httpDefaults,
  name: "shop",
  periodicity: "30s",
  url: "http://shop.test/",
};
const tcp: MonitorDefinition = {
  ...tcpDefaults,
  name: "db",
  periodicity: "30s",
  uri: "db.test:5432",
};

const sign = (
  one: MonitorDefinition,
  { at = now, locations = ["office"], key = trusted } = {},
): MonitorDefinition => ({
  ...one,
  signature: signedMonitor(one, { locations, signedAt: at }, key),
});

function gate(file: string | null = null, lines = keyLine(trusted.raw, "ci"), clock = () => now) {
  const signers = readTrustedSigners({ PICKET_TRUSTED_KEYS: lines, PICKET_LOCATION: "office" });
  if (!signers.ok || signers.value === null) throw new Error("no signers");
  const log = memoryLog();
  const times = new SignedTimes(file, log);
  return { signed: new SignedMonitors({ ...signers.value, times, now: clock }), log };
}

type Assigned = readonly (readonly [id: string, definition: MonitorDefinition])[];
const assignmentOf = (all: Assigned) =>
  readAssignment(
    assignedMonitors(all.map(([id, definition]) => ({ id, definition, newestSlot: null }))),
  );

async function admitted(all: Assigned, { signed } = gate()) {
  const { monitors, remarks } = await signed.admit(assignmentOf(all));
  return {
    run: monitors.filter(({ rejection }) => rejection === null).map(({ id }) => id),
    refused: Object.fromEntries(
      monitors.flatMap(({ id, rejection }) =>
        rejection === null ? [] : [[id, rejection.message]],
      ),
    ),
    remarks: remarks.map(({ monitorId, message }) => `${monitorId}: ${message}`),
  };
}

const prefix = "This agent runs only signed monitors, and the signature of this one ";

describe("an agent with trusted keys", () => {
  test("runs what such a key signed for its location, of each kind, and says of the rest why not", async () => {
    const { run, refused, remarks } = await admitted([
      ["1", sign(http)],
      ["2", sign(tcp)],
      ["3", { ...http, name: "unsigned" }],
      ["4", sign({ ...tcp, name: "by mallory" }, { key: stranger })],
      ["5", sign({ ...tcp, name: "elsewhere" }, { locations: ["berlin", "rome"] })],
      [
        "6",
        {
          ...tcp,
          name: "changed",
          uri: "other.test:22",
          signature: sign({ ...tcp, name: "changed" }).signature,
        },
      ],
      ["7", { ...sign({ ...http, name: "faster" }), timeout: 1 }],
      ["8", sign({ ...tcp, name: "late" }, { at: now + 25 * 3_600_000 })],
      ["9", { ...tcp, name: "noise", signature: "v1.1.WyJvZmZpY2UiXQ.U1NIU0lH" }],
      ["10", sign({ ...tcp, name: "both" }, { locations: ["berlin", "office"] })],
    ]);
    expect(run.toSorted()).toEqual(["1", "10", "2"]);
    const changed =
      "is not of what the service sent: the monitor was changed since it was signed, or this agent is older than what signed it";
    expect(refused).toEqual({
      3: `${prefix}is missing`,
      4: `${prefix}is by ${stranger.shown.fingerprint}, which this agent does not trust`,
      5: `${prefix}is for berlin, rome, and not for office`,
      6: prefix + changed,
      7: prefix + changed,
      8: `${prefix}is of 2026-11-25T11:00:00.000Z, which is in the future: compare the clocks`,
      9: `${prefix}is cut off`,
    });
    expect(remarks).toContain("3: is missing: the monitor is not run");
    expect(remarks).toHaveLength(7);
  });

  test("runs no monitor that hides behind the id of a signed one", async () => {
    const evil: MonitorDefinition = { ...tcp, name: "evil", uri: "evil.test:1" };
    for (const order of [
      [
        ["1", evil],
        ["1", sign(tcp)],
      ],
      [
        ["1", sign(tcp)],
        ["1", evil],
      ],
    ] as const) {
      const { signed } = gate();
      const { monitors } = await signed.admit(assignmentOf(order));
      expect(monitors.map(({ uri, rejection }) => [uri, rejection])).toEqual([
        ["db.test:5432", null],
      ]);
    }
  });

  test("sends nothing of a refused monitor to the collector that it names", async () => {
    const { signed } = gate();
    const otel = { endpoint: "http://collector.test", headers: [] };
    const { monitors } = await signed.admit(assignmentOf([["1", { ...http, otel }]]));
    expect(monitors.map((one) => ("otel" in one ? one.otel : null))).toEqual([null]);
  });

  test("of a monitor that comes twice runs the newest alone", async () => {
    const older = sign(tcp, { at: now - 1000 });
    const { run, refused } = await admitted([
      ["1", older],
      ["2", sign(tcp)],
      ["3", sign(tcp)],
    ]);
    expect(run).toEqual(["2"]);
    expect(Object.values(refused)).toEqual([
      `${prefix}comes with a monitor that is assigned twice: the newest runs`,
      `${prefix}comes with a monitor that is assigned twice: the newest runs`,
    ]);
  });

  test("goes back to no older signature, in another process either", async () => {
    const file = path.join(temporaryFolder(), "signed-times.json");
    const before = sign(tcp, { at: now - 60_000 });
    const first = gate(file);
    expect((await admitted([["1", before]], first)).run).toEqual(["1"]);
    expect((await admitted([["1", sign({ ...tcp, uri: "db.test:5433" })]], first)).run).toEqual([
      "1",
    ]);
    for (const one of [first, gate(file)]) {
      const { run, refused } = await admitted([["9", before]], one);
      expect(run).toEqual([]);
      expect(refused["9"]).toBe(
        `${prefix}is of 2026-11-24T09:59:00.000Z, older than the one of 2026-11-24T10:00:00.000Z that this agent has run`,
      );
    }
    writeFileSync(file, "{ damaged");
    const damaged = gate(file);
    expect((await admitted([["1", before]], damaged)).run).toEqual(["1"]);
    expect(damaged.log.said[0]?.message).toMatch(/^the times of signatures cannot be read/);
  });

  test("goes back to no older signature from another place in its state directory", async () => {
    const directory = temporaryFolder();
    const reading = readConfig({
      PICKET_TOKEN: "t",
      PICKET_STATE_DIR: directory,
      PICKET_TRUSTED_KEYS: keyLine(trusted.raw, "ci"),
      PICKET_LOCATION: "office",
    });
    if (!reading.ok) throw new Error(reading.errors.join());
    const parts = { config: reading.config, log: memoryLog() };
    // Of signatures, an agent knows the time by the machine's clock.
    const aDayAgo = sign(tcp, { at: Date.now() - 24 * 3_600_000 });
    const anHourAgo = sign(tcp, { at: Date.now() - 3_600_000 });
    const older = { ...noAssignmentMemory, load: async () => assignmentOf([["1", aDayAgo]]) };
    const newer = { ...noAssignmentMemory, load: async () => assignmentOf([["1", anHourAgo]]) };
    const runsBy = async (state: StateDirectory, memory: AssignmentMemory): Promise<boolean> => {
      const kept = await linkOf({ ...parts, state, memory }, "office-1").memory?.load();
      return kept?.monitors[0]?.rejection === null;
    };
    using first = openStateDirectory(directory, parts.log);
    expect(await runsBy(first, newer)).toBe(true);
    using second = openStateDirectory(directory, parts.log);
    expect(second.place).toBe(2);
    expect(await runsBy(second, older)).toBe(false);
    expect(await runsBy(second, newer)).toBe(true);
  });

  test("keeps what the service sent, so that a key that is added later counts for it", async () => {
    const all: Assigned = [["1", sign(tcp, { key: stranger })]];
    const sent = assignmentOf(all);
    const kept = await gate().signed.admit(sent);
    expect(kept.message).toBe(sent.message);
    const both = `${keyLine(trusted.raw, "")}\n${keyLine(stranger.raw, "")}`;
    const { monitors } = await gate(null, both).signed.admit(kept);
    expect(monitors.map(({ rejection }) => rejection)).toEqual([null]);
  });

  test("names the locations of a signature in a few words, however many it names", async () => {
    const locations = Array.from({ length: 50 }, (_, n) => `berlin-${n}-${"x".repeat(40)}`);
    const { refused } = await admitted([["1", sign(tcp, { locations })]]);
    expect(refused["1"]).toMatch(/is for berlin-0-x+, .*, and not for office$/);
    expect(refused["1"]?.length).toBeLessThan(320);
  });

  test("judges again what was in the future once its clock is right, though the service sends nothing new", async () => {
    let clock = 0;
    const { signed } = gate(null, keyLine(trusted.raw, "ci"), () => clock);
    const sent = assignmentOf([
      ["1", sign(tcp)],
      ["2", http],
    ]);
    const never = new AbortController().signal;
    const service = signedControlPlane(
      {
        pull: async (known) =>
          known === null ? { unchanged: false, ...sent } : { unchanged: true },
        report: async () => {},
        reportsSingly: false,
        heartbeat: async () => null,
      },
      signed,
    );
    const pulled = async (isKnown: boolean) => {
      const pull = await service.pull(
        isKnown ? { revision: "1", takesChanges: false } : null,
        never,
      );
      return pull.unchanged
        ? "unchanged"
        : Object.fromEntries(pull.monitors.map(({ id, rejection }) => [id, rejection === null]));
    };
    expect(await pulled(false)).toEqual({ 1: false, 2: false });
    clock = now - 25 * 3_600_000;
    expect(await pulled(true)).toBe("unchanged");
    clock = now;
    expect(await pulled(true)).toEqual({ 1: true, 2: false });
    expect(await pulled(true)).toBe("unchanged");
  });

  test("takes what a service calls changes for the whole, and asks for none", async () => {
    const sent = assignmentOf([["1", sign(tcp)]]);
    sent.message.changedSince = "before";
    const { changes, monitors } = await gate().signed.admit(readAssignment(sent.message));
    expect({ changes, ids: monitors.map(({ id }) => id) }).toEqual({ changes: null, ids: ["1"] });
    expect(signedMemory(noAssignmentMemory, gate().signed).takesChanges).toBe(false);
  });

  test("takes an assignment of nothing", async () => {
    const { monitors } = await gate().signed.admit(readAssignment(create(MonitorsResponseSchema)));
    expect(monitors).toEqual([]);
  });
});

test("the times of signatures are bounded, and those that run are kept", () => {
  const times = new SignedTimes(null, memoryLog());
  times.note(new Map(Array.from({ length: signedTimesMax }, (_, n) => [`old ${n}`, n])));
  times.note(new Map([["new", 5]]));
  expect(times.of("new")).toBe(5);
  expect(times.of("old 0")).toBeNull();
  expect(times.of("old 1")).toBe(1);
});

test.each([
  [
    { PICKET_TRUSTED_KEYS: "x" },
    /^PICKET_LOCATION is not set: PICKET_TRUSTED_KEYS needs the location's name/,
  ],
  [{ PICKET_TRUSTED_KEYS: "x", PICKET_TRUSTED_KEYS_FILE: "y" }, /cannot be used together/],
  [
    { PICKET_TRUSTED_KEYS: "ssh-ed25519 AAAA", PICKET_LOCATION: "office" },
    /^PICKET_TRUSTED_KEYS cannot be used: line 1 has a key that is cut off/,
  ],
  [
    { PICKET_TRUSTED_KEYS: "ssh-ed25519 A\n".repeat(80_000), PICKET_LOCATION: "office" },
    /^PICKET_TRUSTED_KEYS is larger than 64 KiB/,
  ],
  [
    { PICKET_TRUSTED_KEYS_FILE: "/nowhere/keys", PICKET_LOCATION: "office" },
    /^PICKET_TRUSTED_KEYS_FILE cannot be read: ENOENT \(\/nowhere\/keys\)/,
  ],
  [
    { PICKET_TRUSTED_KEYS_FILE: "/etc", PICKET_LOCATION: "office" },
    /^PICKET_TRUSTED_KEYS_FILE cannot be read: EISDIR/,
  ],
  [
    { PICKET_TRUSTED_KEYS: "", PICKET_LOCATION: "office" },
    /^PICKET_TRUSTED_KEYS is empty: unset it, or give keys$/,
  ],
  [{ PICKET_TRUSTED_KEYS: " \n", PICKET_LOCATION: "office" }, /^PICKET_TRUSTED_KEYS is empty/],
  [
    { PICKET_TRUSTED_KEYS_FILE: "", PICKET_LOCATION: "office" },
    /^PICKET_TRUSTED_KEYS_FILE is empty: unset it, or name a file of keys$/,
  ],
])("settings that cannot be used are named: %#", (env, why) => {
  expect(readTrustedSigners(env)).toMatchObject({ ok: false, message: expect.stringMatching(why) });
});
