import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../support/run-command.ts";
import { startEngine } from "./engine.ts";

test("an engine that does not answer in time leaves no process and no file", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "picket-late-engine-"));
  await expect(startEngine({ folder, patience: 1 })).rejects.toThrow(
    /docker version ended|Timed out/,
  );
  expect(existsSync(folder)).toBe(false);
  expect((await runCommand("pgrep", ["-f", folder])).stdout).toBe("");
});
