import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { commands } from "#cli/commands";
import { main } from "../../src/main.ts";
import { commandsPage } from "../../scripts/commands-page.ts";
import { captureIo } from "../support/captured-io.ts";

describe.each(commands.map(({ grammar }) => grammar))("picket $name", ({ name, options }) => {
  test("explains every option that it has, and is found by its name", async () => {
    const io = captureIo();
    expect(await main([name, "--help"], io)).toBe(0);
    const help = io.written.stdout();
    expect(help).toMatch(new RegExp(`^Usage: picket ${name}`));
    for (const long of Object.keys(options)) expect(help).toContain(`--${long}`);
  });

  test("names the nearest option of one that it does not have", async () => {
    const io = captureIo();
    expect(await main([name, "--hepl"], io)).toBe(64);
    expect(io.written.stderr()).toContain("Did you mean --help?");
  });
});

test("docs/reference/commands.md is what the tables say: npm run generate:docs", () => {
  const page = readFileSync(new URL("../../docs/reference/commands.md", import.meta.url), "utf8");
  expect(page).toBe(commandsPage());
});
