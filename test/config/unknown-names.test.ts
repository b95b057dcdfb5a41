import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { runConfig } from "#cli/agent/config-command";
import { readWords } from "#cli/grammar/read-words";
import { runService } from "#cli/service/service-command";
import { serviceGrammar } from "#cli/service/service-grammar";
import { readSurroundings, setupOf } from "#cli/service/service-setup";
import { readConfig } from "#agent/settings/config";
import { serviceSettings } from "#config/service-settings";
import { settings } from "#config/agent-settings";
import { unknownNames } from "#config/unknown-names";
import { captureIo } from "../support/captured-io.ts";

const names = [...new Set([...Object.keys(settings), ...Object.keys(serviceSettings)])];
/** What a line that starts an agent reads, too: the script has it, and no program. */
const known = new Set([...names, "PICKET_CONTAINER"]);
const allSet = Object.fromEntries(names.map((name) => [name, "x"]));

describe("a setting of the agent or of the service", () => {
  test("is known to each command, whichever of the two it is meant for", async () => {
    expect(unknownNames(allSet)).toEqual([]);
    expect(readConfig(allSet).warnings.filter((one) => one.includes("not known"))).toEqual([]);
    const io = captureIo(allSet);
    await runConfig([], io);
    expect(`${io.written.stdout()}${io.written.stderr()}`).not.toContain("not known");
  });

  test("is in a table if the sources name it", () => {
    const sources = globSync("src/**/*.ts", { exclude: ["src/wire/contract/**"] });
    const named = sources.flatMap(
      (file) => readFileSync(file, "utf8").match(/\bPICKET_[A-Z_]*[A-Z]\b/g) ?? [],
    );
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });
});

describe("a variable that is misspelt", () => {
  const env = { PICKET_SMTP_FORM: "a@acme.test" };
  const said = "PICKET_SMTP_FORM is not known and has no effect; did you mean PICKET_SMTP_FROM?";

  test("is a warning of the service at its start", () => {
    const io = captureIo(env);
    const typed = readWords(serviceGrammar, [], io);
    if (typed === null) expect.fail("no words were read");
    const { warnings } = readSurroundings(setupOf(typed.values, "service.sqlite", io), io);
    expect(warnings).toEqual([said]);
  });

  test("is a warning of the service's doctor", async () => {
    const io = captureIo(env);
    await runService(["doctor"], io);
    expect(io.written.stdout()).toContain(`! configuration: ${said}`);
  });
});
