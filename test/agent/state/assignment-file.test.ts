import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { describe, expect, test } from "vitest";
import { MonitorsResponseSchema } from "#contract/private_location/v1/private_location_pb";
import { assignmentFile } from "#agent/state/assignment-file";
import { readAssignment } from "#wire/read-assignment";
import { temporaryFolder } from "../../support/running-service.ts";

const newFile = (): string => path.join(temporaryFolder(), "assignment.json");

const assigned = (more: MessageInitShape<typeof MonitorsResponseSchema> = {}) =>
  readAssignment(
    create(MonitorsResponseSchema, {
      httpMonitors: [
        {
          id: "h",
          url: "https://a.test/",
          periodicity: "30s",
          headers: [{ key: "authorization", value: "Bearer planted" }],
        },
      ],
      region: "office",
      revision: "r7",
      ...more,
    }),
  );

describe("an assignment on disk", () => {
  test("is what was kept, credentials and all, for the same service and token only", async () => {
    const file = newFile();
    await assignmentFile(file, "https://one.test token").save(assigned());
    const loaded = await assignmentFile(file, "https://one.test token").load();
    expect(loaded).toMatchObject({
      region: "office",
      revision: "r7",
      monitors: [{ id: "h", target: { headers: [{ value: "Bearer planted" }] } }],
    });
    expect(await assignmentFile(file, "https://one.test other").load()).toBeNull();
    expect(readFileSync(file, "utf8")).not.toContain("token");
  });

  test("is read by its owner only, also if the file was there before or was opened to others", async () => {
    const file = newFile();
    writeFileSync(`${file}.new`, "left by one that was killed", { mode: 0o644 });
    const memory = assignmentFile(file, "o");
    await memory.save(assigned());
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    await assignmentFile(file, "o").load();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(file))).toEqual(["assignment.json"]);
  });

  test("has no text that is longer than any of use: the monitor is refused by name, the others run, and the file stays small", async () => {
    const file = newFile();
    const long = "x".repeat(20_000_000);
    const more = assigned({
      httpMonitors: [
        { id: "long", url: `https://a.test/${long}`, periodicity: "30s", body: long },
        { id: "named", name: long, url: "https://a.test/", periodicity: "30s" },
        {
          id: "headed",
          url: "https://a.test/",
          periodicity: "30s",
          headers: [{ key: "a", value: long }],
        },
      ],
      tcpMonitors: [{ id: long, uri: "a.test:80", periodicity: "30s" }],
      region: long,
      revision: long,
      newestSlots: { [long]: 1n },
    });
    const [refused, ...others] = more.monitors;
    expect(refused?.rejection?.message).toBe(
      "Invalid configuration: url is longer than 2048 characters (and 1 more)",
    );
    expect(refused?.uri).toHaveLength(2_048);
    expect(others.map(({ id, rejection }) => `${id}: ${rejection?.message ?? "runs"}`)).toEqual([
      "named: runs",
      "headed: Invalid configuration: headers[0].value is longer than 16384 bytes",
    ]);
    expect(more.remarks.map(({ field, message }) => `${field} ${message}`)).toEqual([
      "url is longer than 65536 characters: the rest of it is left out",
      "body is longer than 2097152 characters: the rest of it is left out",
      "name is longer than 65536 characters: the rest of it is left out",
      "headers[0].value is longer than 65536 characters: the rest of it is left out",
      "id is longer than 65536 characters: the rest of it is left out",
      "region is too long: it is left out",
      "revision is too long: it is left out",
      "id is longer than 256 characters: the monitor is left out",
    ]);
    await assignmentFile(file, "o").save(more);
    expect(statSync(file).size).toBeLessThan(4_000_000);
  });

  test("is written when it differs, and not when the service says the same again", async () => {
    const file = newFile();
    const memory = assignmentFile(file, "o");
    await memory.save(assigned());
    const { ino } = statSync(file);
    await memory.save(assigned());
    expect(statSync(file).ino).toBe(ino);
    const reopened = assignmentFile(file, "o");
    await reopened.load();
    await reopened.save(assigned());
    expect(statSync(file).ino).toBe(ino);
    await reopened.save(assigned({ region: "attic" }));
    expect(statSync(file).ino).not.toBe(ino);
    expect((await assignmentFile(file, "o").load())?.region).toBe("attic");
  });

  test("is none before the first, and an error with the file's name when it is damaged", async () => {
    const file = newFile();
    const memory = assignmentFile(file, "o");
    expect(await memory.load()).toBeNull();
    for (const damaged of ["", "{", "[]", '{"version":2}', '{"version":1,"owner":3}']) {
      writeFileSync(file, damaged);
      await expect(memory.load()).rejects.toThrow(`${file} holds no assignment`);
    }
    await memory.save(assigned());
    const whole = readFileSync(file, "utf8");
    writeFileSync(file, whole.replace(/"assignment":".{8}/, '"assignment":"////////'));
    await expect(assignmentFile(file, "o").load()).rejects.toThrow(`${file} holds a damaged`);
    writeFileSync(file, "x".repeat(100));
    await memory.save(assigned({ region: "cellar" }));
    expect((await assignmentFile(file, "o").load())?.region).toBe("cellar");
  });

  test("that cannot be written says so, and leaves no half of it", async () => {
    const memory = assignmentFile("/proc/picket/assignment.json", "o");
    await expect(memory.save(assigned())).rejects.toThrow(/ENOENT/);
  });
});

const tcp = (id: string, uri = "a.test:80") => ({ id, uri, periodicity: "30s" });
const changes = (
  changedSince: string,
  revision: string,
  more: MessageInitShape<typeof MonitorsResponseSchema> = {},
) => assigned({ httpMonitors: [], revision, changedSince, ...more });

describe("changes of an assignment on disk", () => {
  /** A file with a whole assignment and two changes of it. */
  async function changedTwice(): Promise<string> {
    const file = newFile();
    const memory = assignmentFile(file, "o");
    await memory.save(assigned());
    const more = { tcpMonitors: [tcp("t"), tcp("u")], region: "attic" };
    await memory.save(changes("r7", "r8", more));
    await memory.save(
      changes("r8", "r9", { tcpMonitors: [tcp("t", "b.test:80")], removed: ["h"] }),
    );
    return file;
  }
  const loaded = async (file: string) => {
    const whole = await assignmentFile(file, "o").load();
    return [whole?.revision, whole?.monitors.map(({ id, uri }) => `${id} ${uri}`).join(", ")];
  };
  const atFirst = ["r7", "h https://a.test/"];
  const afterOne = ["r8", "h https://a.test/, t a.test:80, u a.test:80"];
  const afterBoth = ["r9", "u a.test:80, t b.test:80"];

  test("are a line each in a second file for its owner only, and are made to the whole when it is read", async () => {
    const file = await changedTwice();
    expect(statSync(`${file}.changes`).mode & 0o777).toBe(0o600);
    expect(readFileSync(`${file}.changes`, "utf8").trimEnd().split("\n")).toHaveLength(2);
    expect(await loaded(file)).toEqual(afterBoth);
  });

  test("that were written in part count up to the last whole line; then only the whole is kept", async () => {
    const file = await changedTwice();
    const text = readFileSync(`${file}.changes`);
    const first = text.indexOf("\n") + 1;
    const found = new Set<string>();
    for (let length = 0; length <= text.length; length += 7) {
      writeFileSync(`${file}.changes`, text.subarray(0, length));
      const memory = assignmentFile(file, "o");
      const revision = (await memory.load())?.revision;
      expect(revision).toBe(length < first ? "r7" : "r8");
      found.add(`${revision} ${memory.takesChanges}`);
    }
    expect([...found].toSorted()).toEqual(["r7 true", "r8 false"]);
    const memory = assignmentFile(file, "o");
    await memory.load();
    await expect(memory.save(changes("r8", "r10"))).rejects.toThrow("could not be kept");
    await memory.save(assigned());
    expect(memory.takesChanges).toBe(true);
    expect(await loaded(file)).toEqual(atFirst);
  });

  test("of an older whole count for nothing, also if the agent was killed before it took them away", async () => {
    const file = await changedTwice();
    const old = readFileSync(`${file}.changes`);
    await assignmentFile(file, "o").save(assigned({ region: "cellar" }));
    writeFileSync(`${file}.changes`, old);
    expect(await loaded(file)).toEqual(atFirst);
    const memory = assignmentFile(file, "o");
    await memory.load();
    await memory.save(changes("r7", "r8", { tcpMonitors: [tcp("t"), tcp("u")] }));
    expect(await loaded(file)).toEqual(afterOne);
  });

  test("are gone with the next whole, also if that is the one of before", async () => {
    const file = await changedTwice();
    const memory = assignmentFile(file, "o");
    await memory.load();
    await memory.save(assigned());
    expect(readdirSync(path.dirname(file))).toEqual(["assignment.json"]);
    expect(await loaded(file)).toEqual(atFirst);
  });

  test("are not taken before there is a whole, and not past so many that a start would take long", async () => {
    const file = newFile();
    const memory = assignmentFile(file, "o");
    expect(memory.takesChanges).toBe(false);
    await memory.save(assigned());
    expect(memory.takesChanges).toBe(true);
    const large = { ...tcp("t"), name: "x".repeat(65_000) };
    let revision = 7;
    for (; memory.takesChanges; revision += 1)
      await memory.save(changes(`r${revision}`, `r${revision + 1}`, { tcpMonitors: [large] }));
    expect(revision).toBeGreaterThan(40);
    expect(await loaded(file)).toEqual([`r${revision}`, expect.any(String)]);
  });
});
