import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { buildOnce } from "../support/built-program.ts";
import table from "../support/programs.json" with { type: "json" };
import { runCommand } from "../support/run-command.ts";

/**
 * Runs the tests of the suite as on machines that lack one program each of programs.json: for each program, the files
 * that ask for it. `node test/fresh/absences.ts ASKED BARE`, as root; a line of ASKED is a test file, as
 * `test/main.test.ts`, a tab, and a program that the file asks for; BARE is the root of the machine with nothing else.
 * Says what was skipped, and ends with 1 if a test fails, or if a program's absence skips none.
 */

const root = path.resolve(import.meta.dirname, "../..");
const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** A machine that lacks some programs, of which no file asks for two; and what is run there. */
interface Machine {
  readonly lacks: string[];
  readonly files: Set<string>;
}

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly {
    readonly status: string;
    readonly fullName: string;
    readonly failureMessages: readonly string[];
  }[];
}

/**
 * The files that ask for each program. Left out are those that ask for it alone, if the machine with nothing else lacks it:
 * there they have run already, as they would here.
 */
function filesByProgram(record: string, bare: string): ReadonlyMap<string, ReadonlySet<string>> {
  const asked = new Map<string, Set<string>>();
  for (const line of record.split("\n").filter((one) => one !== "")) {
    const [file = "", program = ""] = line.split("\t");
    asked.getOrInsertComputed(file, () => new Set()).add(program);
  }
  const isThere = (program: string): boolean =>
    ["bin", "sbin"].some((folder) => existsSync(path.join(bare, "usr", folder, program)));
  const found = new Map<string, ReadonlySet<string>>();
  for (const program of Object.keys(table.suite)) {
    const files = [...asked].filter(([, programs]) => programs.has(program));
    if (files.length === 0) throw new Error(`no test needs ${program}: remove it of programs.json`);
    const differ = files.filter(([, programs]) => programs.size > 1 || isThere(program));
    if (differ.length > 0) found.set(program, new Set(differ.map(([file]) => file)));
    else print(`without ${program}: as on the machine with nothing else`);
  }
  return found;
}

/** As few machines as lets no file meet two absences at once: the program with most files first. */
function machinesOf(asking: ReadonlyMap<string, ReadonlySet<string>>): readonly Machine[] {
  const machines: Machine[] = [];
  for (const [program, files] of [...asking].toSorted(([, one], [, two]) => two.size - one.size)) {
    let machine = machines.find((other) => other.files.isDisjointFrom(files));
    if (machine === undefined) machines.push((machine = { lacks: [], files: new Set() }));
    machine.lacks.push(program);
    for (const file of files) machine.files.add(file);
  }
  return machines;
}

async function run({ lacks, files }: Machine, folder: string): Promise<readonly FileReport[]> {
  const report = path.join(folder, `${lacks[0]}.json`);
  const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", "suite*"];
  const reporters = ["--reporter=json", `--outputFile.json=${report}`];
  const { CI: _ci, ...env } = process.env;
  const { output } = await runCommand(
    path.join(import.meta.dirname, "without.sh"),
    [...lacks, "--", process.execPath, ...vitest, ...reporters, ...files],
    { cwd: root, env },
  );
  try {
    return JSON.parse(readFileSync(report, "utf8")).testResults;
  } catch {
    throw new Error(`without ${lacks.join(", ")} the run came to no end: ${output}`);
  }
}

/** What the absence of one program did to the files that ask for it. True if nothing failed and something was skipped. */
function isGood(program: string, reports: readonly FileReport[]): boolean {
  const tests = reports.flatMap(({ assertionResults }) => assertionResults);
  const skipped = tests.filter(({ status }) => status === "skipped").length;
  const failed = tests.filter(({ status }) => status === "failed");
  print(`without ${program}: ${skipped} skipped, ${tests.length - skipped - failed.length} passed`);
  for (const { name, assertionResults: all } of reports) {
    const left = all.filter(({ status }) => status === "skipped").length;
    print(`  ${left} of ${all.length} skipped in ${path.relative(root, name)}`);
  }
  for (const { fullName, failureMessages } of failed)
    print(`  FAILED: ${fullName}\n${failureMessages.join("\n")}`);
  const broken = reports.filter(({ status, message }) => status === "failed" && message !== "");
  for (const { name, message } of broken)
    print(`  FAILED: ${path.relative(root, name)} ${message}`);
  if (skipped === 0) print(`  FAILED: ${program} is missing and nothing is skipped`);
  return skipped > 0 && failed.length === 0 && broken.length === 0;
}

/** As many runs side by side as there are processors in most machines: one that skips its tests starts for most of its time. */
const besides = 2;

async function main([record = "", bare = ""]: readonly string[]): Promise<boolean> {
  const asking = filesByProgram(readFileSync(record, "utf8"), bare);
  const waiting = machinesOf(asking).toReversed();
  const folder = mkdtempSync(path.join(tmpdir(), "picket-absences-"));
  let good = true;
  const work = async (): Promise<void> => {
    for (let machine = waiting.pop(); machine !== undefined; machine = waiting.pop()) {
      const reports = await run(machine, folder);
      for (const program of machine.lacks) {
        const own = reports.filter(({ name }) =>
          asking.get(program)?.has(path.relative(root, name)),
        );
        good = isGood(program, own) && good;
      }
    }
  };
  try {
    await buildOnce();
    await Promise.all(Array.from({ length: besides }, work));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return good;
}

process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
