import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll } from "vitest";
import { buildExecutable } from "../../packaging/executable.ts";
import { isInstalled } from "../support/installed.ts";
import { describeForm } from "../packaging/form.ts";

/** The executable for arm64, built and run on another processor: an emulator runs it on this kernel. */
const emulator = "qemu-aarch64-static";
const libraries = "/usr/aarch64-linux-gnu";
const folder = mkdtempSync(path.join(tmpdir(), "picket-arm64-"));
const executable = path.join(folder, "picket");

beforeAll(async () => {
  if (!isInstalled(emulator) || !existsSync(libraries))
    throw new Error(
      `This needs ${emulator} and ${libraries}. On Debian: apt-get install qemu-user-static libc6-arm64-cross libstdc++6-arm64-cross libatomic1-arm64-cross`,
    );
  await buildExecutable("arm64", executable, () => {});
});
afterAll(() => rmSync(folder, { recursive: true }));

describeForm({
  name: "the one executable for arm64",
  command: emulator,
  before: ["-L", libraries, executable],
  // The emulator has no timestamps of packets.
  sockets: "runtime",
});
