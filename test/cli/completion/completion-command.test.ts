import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { commands } from "#cli/commands";
import { main } from "../../../src/main.ts";
import { captureIo } from "../../support/captured-io.ts";
import { isInstalled } from "../../support/installed.ts";
import { runCommand } from "../../support/run-command.ts";
import { temporaryFolder } from "../../support/running-service.ts";

/** A file with the completion for a shell. */
async function scriptFor(shell: string): Promise<string> {
  const io = captureIo();
  expect(await main(["completion", shell], io)).toBe(0);
  const file = path.join(temporaryFolder(), shell);
  writeFileSync(file, io.written.stdout());
  return file;
}

/** What is typed, and what is then offered among others. */
const typed: readonly (readonly [string, string])[] = [
  ["picket doc", "doctor"],
  ["picket check --me", "--method"],
  ["picket check -X PA", "PATCH"],
  ["picket check --format ju", "junit"],
  ["picket check -k --format pro", "prometheus"],
  ["picket service k", "key"],
  ["picket completion fi", "fish"],
];

describe.skipIf(!isInstalled("bash"))("bash", () => {
  test.each(typed)("completes %s", async (line, wanted) => {
    const words = line.split(" ").map((word) => `'${word}'`);
    const ask = `source ${await scriptFor("bash")}; COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _picket; printf '%s\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await runCommand("bash", ["--norc", "-c", ask]);
    expect(stdout.trim()).toBe(wanted);
  });

  test("asks the service for names, and keeps one with spaces in one word", async () => {
    const stub = "picket() { [[ $* == 'locations --names' ]] && printf 'shop\nshop window\n'; };";
    const ask = `source ${await scriptFor("bash")}; ${stub} COMP_WORDS=(picket apply --location sh); COMP_CWORD=3; _picket; printf '%s|' "\${COMPREPLY[@]}"`;
    const { stdout } = await runCommand("bash", ["--norc", "-c", ask]);
    expect(stdout).toBe("shop|shop\\ window|");
  });
});

describe.skipIf(!isInstalled("fish"))("fish", () => {
  test.each(typed)("completes %s", async (line, wanted) => {
    const ask = `source ${await scriptFor("fish")}; complete -C '${line}'`;
    const { stdout } = await runCommand("fish", ["--no-config", "-c", ask]);
    expect(stdout.split("\n").map((one) => one.split("\t")[0])).toContain(wanted);
  });
});

describe.skipIf(!isInstalled("zsh"))("zsh", () => {
  test("completes what is typed, with what it does", async () => {
    const file = path.join(temporaryFolder(), "drive");
    // A shell on a separate pseudo terminal: completion is a part of its line editor.
    writeFileSync(
      file,
      `zmodload zsh/zpty
zpty -b z 'PS1="%%" TERM=dumb zsh -f -i'
zpty -w z 'autoload -Uz compinit; compinit -D -u; source ${await scriptFor("zsh")}; bindkey "^X" list-choices; echo REA''DY'
zpty -r z out '*READY*'
zpty -w -n z $'picket check --me\\x18'
zpty -r z out '*--method*request method*'
print -r -- "$out"
zpty -d z
`,
    );
    const { stdout } = await runCommand("zsh", ["-f", file]);
    expect(stdout).toMatch(/--method {2}-- the request method/);
  });
});

test("every command is completed, by its own table", async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    const io = captureIo();
    await main(["completion", shell], io);
    for (const { grammar } of commands) {
      expect(io.written.stdout()).toContain(grammar.name);
      for (const long of Object.keys(grammar.options)) expect(io.written.stdout()).toContain(long);
    }
  }
});

test.each([[[]], [["tcsh"]], [["bash", "zsh"]]])("%j is wrong usage", async (words) => {
  const io = captureIo();
  expect(await main(["completion", ...words], io)).toBe(64);
  expect(io.written.stderr()).toContain("completion takes one of bash, zsh, fish");
});
