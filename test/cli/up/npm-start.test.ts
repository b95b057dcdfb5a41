import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import manifest from "#manifest" with { type: "json" };
import { startCommand } from "../../support/running-picket.ts";

const repository = fileURLToPath(new URL("../../..", import.meta.url));

test("a signal to the shell in which npm start runs its command reaches Picket, so nothing runs on", async () => {
  // npm sends on its own signals to this shell alone.
  const started = startCommand("/bin/sh", ["-c", `${manifest.scripts.start} --for 60s`], {
    env: {},
    inherited: process.env,
    cwd: repository,
  });
  await started.said(/Open http/);
  expect(await started.stop()).toBe(0);
  expect(started.output()).toContain("Stopped.");
});
