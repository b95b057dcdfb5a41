import { expect, test } from "vitest";
import { type Block, pages } from "./blocks.ts";
import { isServices, isSettings, runs } from "./followed.ts";
import { Reader, statementsOf } from "./reader.ts";
import { type Scene, scenes } from "./scenes.ts";

const followed = pages.filter((page) => runs(page).length > 0);

test.concurrent.each(followed)("each command of %s does what it says, in order", async (page) => {
  const scene = scenes[page] ?? {};
  await using reader = await Reader.create(scene);
  for (const statement of scene.before ?? []) await works(reader, statement);
  for (const block of runs(page))
    await expect(follow(reader, block, scene)).resolves.toBeUndefined();
});

async function follow(reader: Reader, block: Block, scene: Scene): Promise<void> {
  if (isSettings(block.code)) return settingsAreTaken(reader, block.code);
  const { between = {}, codes = {} } = scene;
  for (const statement of statementsOf(block.code)) {
    for (const step of byBeginning(between, statement) ?? []) await works(reader, step);
    await works(reader, statement, byBeginning(codes, statement));
  }
}

/** The value of the key that a statement begins with. */
const byBeginning = <T>(table: Readonly<Record<string, T>>, statement: string): T | undefined =>
  Object.entries(table).find(([beginning]) => statement.startsWith(beginning))?.[1];

/** A statement ends as it should, and neither a call's answer nor a warning says otherwise. */
async function works(reader: Reader, statement: string, expected = 0): Promise<void> {
  const { code, output } = await reader.run(statement);
  if (code !== expected || /^\{"code":|warning: |command not found/m.test(output))
    throw new Error(`${statement}: ends with ${code}\n${output}`);
}

/** Lines that only set variables are taken by the program that they are for. */
async function settingsAreTaken(reader: Reader, code: string): Promise<void> {
  const names = [...code.matchAll(/^(\w+)=/gm)].map(([, name = ""]) => name);
  await works(reader, `set -a\n${code}\nset +a`);
  if (isServices(code)) await works(reader, "picket service --listen 127.0.0.1:8799");
  else {
    const { output } = await reader.run("picket config");
    // The command prints Picket's own settings, not those of OpenTelemetry.
    const isSet = (name: string): boolean =>
      name.startsWith("OTEL_") || new RegExp(`^${name}=.*\\(set\\)$`, "m").test(output);
    if (!names.every(isSet) || output.includes("has no effect"))
      throw new Error(`picket config does not take ${code}: ${output}`);
  }
  await works(reader, `unset ${names.join(" ")}`);
}
