import { registerHooks } from "node:module";

const root = new URL("../../", import.meta.url).href;

/**
 * Finds a source by the name that another imports it by. Node.js would look for a package.json beside each, and Vitest
 * send a message for each import: together most of the time in which a process loads the sources. Where tests run again
 * at each change, Vitest has to know who imports whom.
 */
export function resolveByName(): void {
  if (isRegistered || process.env["VITEST_MODE"] !== "RUN") return;
  isRegistered = true;
  registerHooks({
    resolve: (specifier, context, next) => {
      const url = sourceOf(specifier, context.parentURL ?? "");
      return url === null
        ? next(specifier, context)
        : { url, format: "module-typescript", shortCircuit: true };
    },
  });
}

let isRegistered = false;

function sourceOf(name: string, importer: string): string | null {
  if (!importer.startsWith(root) || importer.includes("/node_modules/")) return null;
  if (/^\.\.?\/[^?%]*\.ts$/.test(name)) return new URL(name, importer).href;
  // These lie elsewhere: see `imports` of package.json.
  if (!name.startsWith("#") || /^#(manifest$|contract\/)/.test(name)) return null;
  return `${root}src/${name.slice(1)}.ts`;
}
