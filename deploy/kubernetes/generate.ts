import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { generatedManifests, generatedTexts } from "./generated.ts";

/** Writes what is made from the settings, the schema and the chart. */
const tools = spawnSync(path.join(import.meta.dirname, "tools.sh"), {
  encoding: "utf8",
  stdio: ["ignore", "pipe", "inherit"],
});
if (tools.status !== 0) throw new Error("helm could not be fetched; see the lines above");

const write = (files: Readonly<Record<string, string>>): void => {
  for (const [file, text] of Object.entries(files)) {
    const target = path.join(import.meta.dirname, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, text);
  }
};
// In this order: helm holds the values against the schema.
write(generatedTexts());
write(generatedManifests(path.join(tools.stdout.trim(), "helm")));
