import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/running-service.ts";
import { startEngine } from "./engine.ts";

test("an engine that does not answer in time leaves no process and no file", async () => {
  const folder = temporaryFolder();
  await expect(startEngine({ folder, patience: 1 })).rejects.toThrow(/docker version|Timed out/);
  expect(existsSync(folder)).toBe(false);
  expect((await runCommand("pgrep", ["-f", folder])).stdout).toBe("");
});
