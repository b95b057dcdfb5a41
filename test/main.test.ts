import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { main } from "../src/main.ts";
import { captureIo } from "./support/captured-io.ts";
import { runCommand } from "./support/run-command.ts";

async function run(...args: readonly string[]) {
  const io = captureIo();
  const code = await main(args, io);
  return { code, stdout: io.written.stdout(), stderr: io.written.stderr() };
}

describe("picket", () => {
  it.each([[[]], [["--help"]], [["-h"]], [["help"]]])("%j lists the commands", async (args) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(0);
    expect(stderr).toBe("");
    for (const command of ["up", "agent", "check", "service", "apply", "config", "doctor"])
      expect(stdout).toContain(`  picket ${command} `);
  });

  it("--version says name and version", async () => {
    const { code, stdout } = await run("--version");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^picket \d+\.\d+\.\d+\n$/);
  });

  it("names the nearest command for one that it does not know, and exits with 64", async () => {
    const { code, stdout, stderr } = await run("chek", "https://example.com");
    expect(code).toBe(64);
    expect(stdout).toBe("");
    expect(stderr).toBe(
      "picket: there is no command chek. Did you mean picket check?\nSee: picket --help\n",
    );
  });

  it.each(["--verison", "constructor", "\x1b[2J"])("%j is not a command", async (word) => {
    const { code, stderr } = await run(word);
    expect(code).toBe(64);
    expect(stderr).not.toContain("\x1b");
    expect(stderr).toContain("See: picket --help");
  });

  it("help COMMAND is what COMMAND --help says", async () => {
    const help = await run("help", "apply");
    expect(help.code).toBe(0);
    expect(help.stdout).toContain("picket apply -f FILE");
    expect(await run("apply", "--help")).toEqual(help);
  });

  it("help of an unknown command exits with 64", async () => {
    expect((await run("help", "aply")).code).toBe(64);
  });

  it.each([
    [["apply", "--flie", "x"], "picket apply: Unknown option '--flie'"],
    [["apply"], "picket apply: the file is missing: -f FILE"],
    [["apply", "-f"], "picket apply: Option '-f, --file <value>' argument missing"],
    [["apply", "extra"], "picket apply: the plan extra cannot be read (ENOENT)"],
    [
      ["apply", "--file", "-1"],
      "picket apply: --file needs a value; write a value that begins with a dash as --file=-VALUE\n",
    ],
    [
      ["apply", "-f", "-1"],
      "picket apply: -f needs a value; write a value that begins with a dash as -f-VALUE\n",
    ],
  ])("%j is wrong usage", async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(64);
    expect(stdout).toBe("");
    expect(stderr).toContain(message);
    expect(stderr).toContain("See: picket apply --help");
  });
});

describe("the process", () => {
  const picket = fileURLToPath(new URL("../bin/picket", import.meta.url));

  it("fails, and says so, if its output cannot be written", async () => {
    const end = await runCommand("sh", ["-c", `"${picket}" --version > /dev/full`]);
    expect(end).toMatchObject({
      code: 1,
      output: "picket: the output could not be written: there is no space left\n",
    });
  });

  it("exits with the command's code", async () => {
    const child = spawn(picket, ["nothing"], { stdio: "ignore" });
    expect(await once(child, "exit")).toEqual([64, null]);
  });

  it("ends quietly when its output is not read", async () => {
    const child = spawn(picket, ["--help"], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    const stderr: string[] = [];
    child.stderr.on("data", (chunk: Buffer) => void stderr.push(chunk.toString()));
    const [code]: unknown[] = await once(child, "close");
    expect(code).toBe(0);
    expect(stderr.join("")).toBe("");
  });
});
