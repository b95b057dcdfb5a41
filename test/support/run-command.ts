import { execFile } from "node:child_process";

export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  /** Both streams, one after the other. */
  readonly output: string;
}

/** Runs a program to its end, whatever its exit code is; rejects where it cannot be started, naming it. */
export const runCommand = (
  program: string,
  args: readonly string[],
  options: {
    readonly cwd?: string;
    readonly env?: NodeJS.ProcessEnv;
  } = {},
): Promise<CommandEnd> =>
  new Promise((resolve, reject) => {
    const roomy = { maxBuffer: 64 * 1024 * 1024, ...options };
    const child = execFile(program, [...args], roomy, (error, stdout, stderr) => {
      if (error !== null && typeof error.code === "string")
        return reject(new Error(`${program} could not be run: ${error.code}. Install it first.`));
      resolve({ code: child.exitCode ?? -1, stdout, output: stdout + stderr });
    });
    child.stdin?.end();
  });

/** The same, for what has to succeed: its standard output without the last line's end. */
export async function succeed(
  program: string,
  args: readonly string[],
  options: Parameters<typeof runCommand>[2] = {},
): Promise<string> {
  const { code, stdout, output } = await runCommand(program, args, options);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}: ${output}`);
  return stdout.trimEnd();
}
