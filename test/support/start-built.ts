import { registerHooks } from "node:module";
import { entries } from "../../packaging/entries.ts";

/**
 * Preloaded by built-program.ts into every process and thread that tests start: if one begins with a source that is
 * bundled, it begins with the bundle instead.
 */
const at = (file: string): string => new URL(`../../${file}`, import.meta.url).href;
const built = new Map(
  Object.entries(entries).map(([file, source]) => [
    at(source),
    at(`node_modules/.cache/built/${file}`),
  ]),
);

registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    // What is imported is no beginning.
    const url = context.parentURL === undefined ? built.get(found.url) : undefined;
    return url === undefined ? found : { ...found, url, format: "module" };
  },
});
