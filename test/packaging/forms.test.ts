import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { putBundle } from "../support/built-program.ts";
import { buildExecutable, ownArchitecture } from "../../packaging/executable.ts";
import { describeForm } from "./form.ts";

const folder = mkdtempSync(path.join(tmpdir(), "picket-forms-"));
const executable = path.join(folder, "picket");

beforeAll(async () => {
  await putBundle(folder);
  await buildExecutable(ownArchitecture ?? "x64", executable, () => {});
});
afterAll(() => rmSync(folder, { recursive: true }));

describeForm({
  name: "the bundle",
  command: process.execPath,
  before: [
    "--disable-warning=ExperimentalWarning",
    "--disable-sigusr1",
    "--min-semi-space-size=1",
    "--max-semi-space-size=1",
    "--no-parallel-scavenge",
    path.join(folder, "picket.mjs"),
  ],
  sockets: "raw",
});
describeForm({
  name: "the one executable",
  command: executable,
  before: [],
  sockets: "raw",
});

test("a second build of the one executable is the same bytes", async () => {
  const second = path.join(folder, "second");
  await buildExecutable(ownArchitecture ?? "x64", second, () => {});
  expect(readFileSync(second).equals(readFileSync(executable))).toBe(true);
});
