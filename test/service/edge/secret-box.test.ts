import { randomBytes } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openSecretBox } from "#service/edge/secret-box";
import { runningService, temporaryFolder } from "../../support/running-service.ts";

test("what was sealed is opened by the same key file for the same purpose, and by nothing else", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "key");
  const sealed = openSecretBox(file).seal("a secret, ü", "here");
  expect(sealed).not.toContain("secret");
  const again = openSecretBox(file);
  expect(again.open(sealed, "here")).toBe("a secret, ü");
  expect(again.open(sealed, "there")).toBeNull();
  expect(openSecretBox(path.join(folder, "other")).open(sealed, "here")).toBeNull();
  expect(again.seal("a secret, ü", "here")).not.toBe(sealed);
  for (const odd of [
    "",
    "1",
    "1.a.b",
    sealed.slice(0, -4),
    `${sealed}AAAA`,
    sealed.replace("1.", "2."),
  ])
    expect(again.open(odd, "here")).toBeNull();
});

test("the key file is for its owner alone, and is made once, whole", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "key");
  openSecretBox(file);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const key = readFileSync(file, "utf8");
  openSecretBox(file);
  expect(readFileSync(file, "utf8")).toBe(key);
  expect(readdirSync(folder)).toEqual(["key"]);
  copyFileSync(file, path.join(folder, "copy"));
  const sealed = openSecretBox(file).seal("x", "y");
  expect(openSecretBox(path.join(folder, "copy")).open(sealed, "y")).toBe("x");
});

test("a file that holds no key, and a place where none can be made, are refused with a sentence", () => {
  const folder = temporaryFolder();
  const file = path.join(folder, "key");
  writeFileSync(file, "short\n");
  expect(() => openSecretBox(file)).toThrow(
    /holds no key of 32 bytes: put it back from the backup/,
  );
  expect(() => openSecretBox(path.join(folder, "nowhere", "key"))).toThrow(
    /cannot be made \(ENOENT\)/,
  );
  expect(() => openSecretBox(folder)).toThrow(/cannot be read \(EISDIR\)/);
});

test("a service whose key file is lost does not start on what was sealed with it, and says what to do", async () => {
  const database = path.join(temporaryFolder(), "service.sqlite");
  const key = `${database}.key`;
  const kept = path.join(temporaryFolder(), "kept.key");
  {
    // Nothing is sealed yet: a key that is gone is made again.
    await using _first = await runningService({ database });
  }
  rmSync(key);
  {
    await using service = await runningService({ database });
    await service.admin.createPrivateLocation({ name: "office", monitorIds: [], metadata: {} });
  }
  copyFileSync(key, kept);
  rmSync(key);
  await expect(runningService({ database })).rejects.toThrow(
    `the key file ${key} is missing, and only it opens the secrets in the database: put it back from the backup, or name it in PICKET_SERVICE_SECRET_FILE. If it is lost, make another with (umask 077; openssl rand -base64 32 > ${key}), then`,
  );
  expect(existsSync(key)).toBe(false);
  copyFileSync(kept, key);
  {
    await using _again = await runningService({ database });
  }
  writeFileSync(key, `${randomBytes(32).toString("base64")}\n`);
  await using _another = await runningService({ database });
});
