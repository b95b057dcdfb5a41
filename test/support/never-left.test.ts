import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { expect, test, vi } from "vitest";
import { temporaryFolder } from "./running-service.ts";

/** Something like a bench: a server that writes into a folder, and work that may fail while nobody waits for it. */
const program = `
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { endBySignals, neverLeft, neverLeftFolder } from ${JSON.stringify(new URL("never-left.ts", import.meta.url).href)};
endBySignals();
const folder = process.argv[1] + "/data";
mkdirSync(folder);
neverLeftFolder(folder);
const writes = 'for (;;) { require("fs").writeFileSync(String(Math.random()), ""); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5); }';
const child = spawn(process.execPath, ["-e", writes], { cwd: folder, stdio: "ignore" });
neverLeft(child, "SIGKILL");
process.stdout.write(String(child.pid));
process.stdin.once("data", () => void Promise.reject(new Error("a shard was not moved")));
await new Promise(() => {});
`;

async function bench() {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program, folder], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const [server]: unknown[] = await once(child.stdout, "data");
  const isGone = (): boolean => !existsSync(`/proc/${String(server)}/exe`);
  return { child, folder, isGone };
}

test("a failure in the background leaves neither a server nor its folder", async () => {
  const { child, folder, isGone } = await bench();
  expect(isGone()).toBe(false);
  child.stdin.write("fail");
  expect(await once(child, "exit")).toEqual([1, null]);
  await vi.waitFor(() => expect(isGone()).toBe(true));
  expect(readdirSync(folder)).toEqual([]);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s leaves neither a server nor its folder", async (signal, code) => {
  const { child, folder, isGone } = await bench();
  child.kill(signal);
  expect(await once(child, "exit")).toEqual([code, null]);
  await vi.waitFor(() => expect(isGone()).toBe(true));
  expect(readdirSync(folder)).toEqual([]);
});
