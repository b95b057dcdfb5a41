import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { runConfig } from "#cli/agent/config-command";
import { configurePage } from "../../../scripts/configure-page.ts";
import { captureIo } from "../../support/captured-io.ts";
import { temporaryFolder } from "../../support/running-service.ts";

async function run(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const io = captureIo(env);
  const code = await runConfig(args, io);
  return { code, stdout: io.written.stdout(), stderr: io.written.stderr() };
}

test("picket config says each setting, its source, and nothing secret", async () => {
  const { code, stdout, stderr } = await run({
    PICKET_TOKEN: "planted-token",
    SERVICE_API_URL: "https://planted-user:planted-word@service.test/base",
    HTTPS_PROXY: "http://u:planted-password@10.0.0.8:3128",
    PICKET_TARGET_PROXY: "http://planted-name:planted-password@10.0.0.9:3128",
    STATE_DIRECTORY: "/run/state:/run/other",
    PICKET_WORKRES: "2",
    PICKET_WORKERS: "",
  });
  expect(code).toBe(0);
  for (const line of [
    "PICKET_TOKEN=[secret]  (set)",
    "PICKET_WORKERS=1  (default)",
    "PICKET_STATE_DIR=/run/state  (STATE_DIRECTORY)",
    "SERVICE_API_URL=https://[secret]@service.test/base  (set)",
    "PICKET_SERVICE_PROXY=http://[secret]@10.0.0.8:3128  (HTTPS_PROXY)",
    "PICKET_TARGET_PROXY=http://[secret]@10.0.0.9:3128  (set)",
  ])
    expect(stdout).toContain(`${line}\n`);
  expect(stderr).toContain(
    "PICKET_WORKRES is not known and has no effect; did you mean PICKET_WORKERS?",
  );
  expect(stdout + stderr).not.toContain("planted");
});

test("every error is named at once, next to the settings, and the exit code is 1", async () => {
  const wrong = {
    PICKET_WORKERS: "none",
    PICKET_MAX_BODY: "big",
    PICKET_SERVICE_PROXY: "planted-no-url",
    SERVICE_API_URL: "https://u:planted@service.test/?planted=1",
  };
  const { code, stderr, stdout } = await run(wrong);
  expect(code).toBe(1);
  for (const name of ["PICKET_TOKEN", ...Object.keys(wrong)])
    expect(stderr).toContain(`error: ${name} `);
  expect(stdout + stderr).not.toContain("planted");
  const json = JSON.parse((await run(wrong, "--json")).stdout);
  expect(json).toMatchObject({ ok: false, warnings: [] });
  expect(json.errors.map((one: string) => `error: ${one}\n`).join("")).toBe(stderr);
});

test("a token's file and systemd's credential are named as such", async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, "token"), "planted\n");
  const file = await run({ PICKET_TOKEN_FILE: path.join(folder, "token") });
  expect([file.code, file.stdout.includes("PICKET_TOKEN=[secret]  (file)")]).toEqual([0, true]);
  const credential = await run({ CREDENTIALS_DIRECTORY: folder });
  expect(credential.code).toBe(0);
  expect(credential.stdout).toContain("PICKET_TOKEN=[secret]  (credential)\n");
  expect(file.stdout + credential.stdout).not.toContain("planted");
});

test("docs/reference/configure.md is what npm run generate:docs makes of the table", () => {
  const page = path.resolve(import.meta.dirname, "../../../docs/reference/configure.md");
  expect(readFileSync(page, "utf8")).toBe(configurePage());
});
