import { readFileSync } from "node:fs";

/** The version of this Picket, as package.json has it. */
export function version(): string {
  const manifest: { version: string } = JSON.parse(
    readFileSync(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return manifest.version;
}
