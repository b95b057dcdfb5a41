import { commands, purpose } from "#cli/commands";
import { exitCodes } from "#cli/edge/exit-code";
import type { Io } from "#cli/edge/io";
import { readWords } from "#cli/grammar/read-words";
import { leadsToJournal, openLogOutput } from "#cli/edge/log-output";
import { UsageError } from "#cli/edge/usage-error";
import { version } from "#base/version";
import { systemClock } from "#base/clock";
import * as limits from "#limits/process-limits";
import { nearest } from "#base/nearest";
import { showText } from "#base/text";

/** The edge of the process: arguments, environment, signals and exit code live here and nowhere else. */
export async function main(args: readonly string[], io: Io): Promise<number> {
  const [first, ...rest] = args;
  if (first === undefined || first === "--help" || first === "-h") return help(rest, io);
  if (first === "help") return help(rest, io);
  if (first === "--version" || first === "-V" || first === "version") {
    io.stdout.write(`picket ${version()}\n`);
    return exitCodes.fine;
  }
  return run(first, rest, io);
}

async function help(args: readonly string[], io: Io): Promise<number> {
  const [name] = args;
  if (name !== undefined) return run(name, ["--help"], io);
  io.stdout.write(overview());
  return exitCodes.fine;
}

async function run(name: string, args: readonly string[], io: Io): Promise<number> {
  const command = commands.find(({ grammar }) => grammar.name === name);
  if (command === undefined) {
    io.stderr.write(unknownCommand(name));
    return exitCodes.usage;
  }
  try {
    // Help and wrong words need nothing of the command but its grammar.
    if (readWords(command.grammar, args, io) === null) return exitCodes.fine;
    const start = await command.load();
    return await start(args, io);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    io.stderr.write(`picket ${name}: ${showText(error.message)}\nSee: picket ${name} --help\n`);
    return exitCodes.usage;
  }
}

function overview(): string {
  const width = Math.max(...commands.map(({ grammar }) => grammar.name.length)) + 2;
  const lines = commands.map(
    ({ grammar }) => `  picket ${grammar.name.padEnd(width)}${grammar.summary}`,
  );
  return `${purpose}

${lines.join("\n")}

  picket help COMMAND shows the options of a command.
  picket --version prints the version.

Exit codes: 0 fine, 1 failed, 2 degraded (check only), 64 wrong usage, 70 a bug in Picket.
`;
}

function unknownCommand(name: string): string {
  const meant = nearest(
    name,
    commands.map(({ grammar }) => grammar.name),
  );
  const what = name.startsWith("-") ? "option" : "command";
  const hint = meant === null ? "" : ` Did you mean picket ${meant}?`;
  return `picket: there is no ${what} ${showText(name)}.${hint}\nSee: picket --help\n`;
}

/** Runs this process as a command, and ends it with the command's code. */
async function runProcess(): Promise<void> {
  const { drain, abandon } = onSignals();
  process.on("uncaughtException", (error) => {
    reportBug(error);
    process.exit(exitCodes.bug);
  });
  // Who reads no more, as `head` after its lines, needs no more: end as if asked to.
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") drain.abort();
    });
  process.exitCode = await main(process.argv.slice(2), {
    stdout: process.stdout,
    stderr: process.stderr,
    // Opened when a command asks: to look at it would hold the process.
    get stdin() {
      return process.stdin;
    },
    env: process.env,
    signal: drain.signal,
    abandon: abandon.signal,
    interactive: process.stdout.isTTY,
  }).catch((error: unknown) => {
    reportBug(error);
    return exitCodes.bug;
  });
  await flush(process.stdout, drain.signal);
  const { errored } = process.stdout;
  if (errored !== null) onUnwritten(errored);
  // A command that returned is over, even where something of it still holds the loop.
  process.exit();
}

/** The first signal drains, the second abandons, and a third is from a person who no longer waits for anything. */
function onSignals(): { readonly drain: AbortController; readonly abandon: AbortController } {
  const drain = new AbortController();
  const abandon = new AbortController();
  const onSignal = (): void => {
    if (abandon.signal.aborted) process.exit(exitCodes.failed);
    if (drain.signal.aborted) abandon.abort();
    else drain.abort();
  };
  // A terminal that closes hangs up: what runs in it has results to report too.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, onSignal);
  return { drain, abandon };
}

/** What a command found out is lost where it cannot be written, so it did not succeed. */
function onUnwritten({ code, message }: NodeJS.ErrnoException): void {
  if (code === "EPIPE") return;
  const why = code === "ENOSPC" ? "there is no space left" : showText(message);
  process.stderr.write(`picket: the output could not be written: ${why}\n`);
  process.exitCode = exitCodes.failed;
}

function reportBug(error: unknown): void {
  const what = Error.isError(error) ? `${error.name}: ${error.message}` : String(error);
  const stack = Error.isError(error) && error.stack !== undefined ? error.stack : what;
  const debug = process.env["PICKET_LOG_LEVEL"] === "debug";
  const say = openLogOutput(process.stderr, leadsToJournal(process.env, 2), () => {});
  say(`picket: this is a bug in Picket: ${showText(what)}`, "error");
  say(debug ? stack : "PICKET_LOG_LEVEL=debug shows where it happened.", "error");
}

/**
 * Ends when what was written has left; a stream whose reader went away has nothing left to write. Once `stopping` aborts,
 * a reader that reads nothing is not waited for.
 */
const flush = (stream: NodeJS.WriteStream, stopping: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed || !stream.writable) return resolve();
    stream.write("", () => resolve());
    const impatient = (): void =>
      void systemClock.sleep(limits.unreadOutputPatience).then(() => resolve());
    if (stopping.aborted) impatient();
    else stopping.addEventListener("abort", impatient, { once: true });
  });

// Not awaited: with an await up here, the bundler would make a further file for each command.
if (import.meta.main) void runProcess();
