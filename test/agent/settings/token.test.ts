import { renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { currentToken, readToken, type Token } from "#agent/settings/token";
import { silentLogger } from "#base/log";
import { temporaryFolder } from "../../support/running-service.ts";
import { memoryLog } from "../../support/twins.ts";

function tokenFile(text: string): { readonly file: string; readonly folder: string } {
  const folder = temporaryFolder();
  const file = path.join(folder, "token");
  writeFileSync(file, text);
  return { file, folder };
}

function read(env: Readonly<Record<string, string>>): Token {
  const token = readToken(env);
  if (!token.ok) throw new Error(token.message);
  return token.value;
}

const fault = (env: Readonly<Record<string, string>>): string => {
  const token = readToken(env);
  return token.ok ? "none" : token.message;
};

describe("the place of the token", () => {
  test("what is set by hand goes before the systemd credential", () => {
    const { file, folder } = tokenFile("from-the-credential\n");
    const mine = tokenFile("from-a-file");
    const of = (env: Readonly<Record<string, string>>): string =>
      read({ CREDENTIALS_DIRECTORY: folder, ...env }).secret.reveal();
    expect(of({ PICKET_TOKEN: "inline" })).toBe("inline");
    expect(of({ PICKET_TOKEN_FILE: mine.file })).toBe("from-a-file");
    expect(of({})).toBe("from-the-credential");
    rmSync(file);
    expect(fault({ CREDENTIALS_DIRECTORY: folder })).toBe(
      `the systemd credential token (${file}) cannot be read: ENOENT`,
    );
  });

  test("a file that is empty, endless, a folder or no token is reported by variable and path", () => {
    const empty = tokenFile(" \n").file;
    const odd = tokenFile("planted words").file;
    for (const [file, why] of [
      [empty, "is empty"],
      [odd, "has characters that are not allowed in a token"],
      ["/dev/zero", "cannot be read: is larger than 16 KiB"],
      ["/", "cannot be read: EISDIR"],
    ] as const)
      expect(fault({ PICKET_TOKEN_FILE: file })).toBe(`PICKET_TOKEN_FILE (${file}) ${why}`);
  });
});

describe("the token of the next call", () => {
  test("is the one that its file has now, written over or replaced", () => {
    const { file, folder } = tokenFile("first");
    const log = memoryLog();
    const token = currentToken(read({ PICKET_TOKEN_FILE: file }), log);
    expect(token()).toBe("first");
    expect(log.said).toEqual([]);
    writeFileSync(file, "other\n");
    expect(token()).toBe("other");
    // As a mounted secret is: another file takes the place at once.
    const next = path.join(folder, "next");
    writeFileSync(next, "third");
    renameSync(next, file);
    expect(token()).toBe("third");
    expect(log.said.map(({ message }) => message)).toEqual([
      "the token was changed in its file",
      "the token was changed in its file",
    ]);
    expect(JSON.stringify(log.said)).not.toMatch(/other|third/);
  });

  test("stays what it was while the file cannot be used, which is said once", () => {
    const { file } = tokenFile("first");
    const log = memoryLog();
    const token = currentToken(read({ PICKET_TOKEN_FILE: file }), log);
    expect(token()).toBe("first");
    rmSync(file);
    expect(token()).toBe("first");
    expect(token()).toBe("first");
    writeFileSync(file, "");
    expect(token()).toBe("first");
    expect(token()).toBe("first");
    expect(log.said).toMatchObject([
      {
        level: "warn",
        message: "the token's file cannot be used: the agent continues with the previous token",
        fields: { "error.message": `PICKET_TOKEN_FILE (${file}) cannot be read: ENOENT` },
      },
      { level: "warn", fields: { "error.message": `PICKET_TOKEN_FILE (${file}) is empty` } },
    ]);
    writeFileSync(file, "back");
    expect(token()).toBe("back");
  });

  test("a file that was only touched changes nothing", () => {
    const { file } = tokenFile("first");
    const log = memoryLog();
    const token = currentToken(read({ PICKET_TOKEN_FILE: file }), log);
    token();
    utimesSync(file, 1, 1);
    expect(token()).toBe("first");
    expect(log.said).toEqual([]);
  });

  test("from the environment is always the same", () => {
    expect(currentToken(read({ PICKET_TOKEN: "inline" }), silentLogger)()).toBe("inline");
  });
});
