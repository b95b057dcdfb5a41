import { readFileSync, writeFileSync } from "node:fs";

/**
 * The lock file without the engines of packages (`npm run lock`). npm compares them with the Node.js that it runs on, of
 * any version, where Picket runs on the one that the lock file names: it warned of thirteen packages for nothing.
 */
const file = new URL("../package-lock.json", import.meta.url);
const lock: { readonly packages: Readonly<Record<string, { engines?: unknown }>> } = JSON.parse(
  readFileSync(file, "utf8"),
);
for (const entry of Object.values(lock.packages)) delete entry.engines;
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
