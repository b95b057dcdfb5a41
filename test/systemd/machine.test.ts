import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { runCommand } from "../support/run-command.ts";
import { temporaryFolder } from "../support/running-service.ts";
import { bootMachine } from "./machine.ts";

test("a machine that does not boot in time leaves no process and no file", async () => {
  const root = temporaryFolder();
  await expect(bootMachine({ root, patience: 50 })).rejects.toThrow(
    /pgrep|the machine is|Timed out/,
  );
  expect(existsSync(root)).toBe(false);
  // Who lives in it has it mounted, also when it is deleted.
  const living = await runCommand("sh", ["-c", `grep -ls ${root} /proc/[0-9]*/mountinfo`]);
  expect(living.stdout).toBe("");
  expect((await runCommand("pgrep", ["-f", root])).stdout).toBe("");
  const groups = await runCommand("find", ["/sys/fs/cgroup", "-name", path.basename(root)]);
  expect(groups.stdout).toBe("");
});
