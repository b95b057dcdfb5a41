import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../../packaging/bundle.ts";
import { temporaryFolder } from "../support/running-service.ts";

const program = `
import { writeFileSync } from "node:fs";
import { workFolder } from ${JSON.stringify(path.join(root, "packaging/work-folder.ts"))};
using folder = workFolder(process.argv[1] + "/work-");
writeFileSync(folder.path + "/half", "");
process.stdout.write("made");
const waiting = setInterval(() => {}, 1_000);
await new Promise((resolve) => process.stdin.once("data", resolve));
clearInterval(waiting);
process.stdin.pause();
`;

function building() {
  const folder = temporaryFolder();
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", program, folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  return { child, folder };
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "a build that is ended by %s leaves no folder behind, and ends by it",
  async (signal) => {
    const { child, folder } = building();
    await once(child.stdout, "data");
    expect(readdirSync(folder)).toHaveLength(1);
    child.kill(signal);
    expect(await once(child, "exit")).toEqual([null, signal]);
    expect(readdirSync(folder)).toEqual([]);
  },
);

test("a build that ends by itself leaves none either, and listens to no signal any more", async () => {
  const { child, folder } = building();
  await once(child.stdout, "data");
  child.stdin.end("done");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(readdirSync(folder)).toEqual([]);
});
