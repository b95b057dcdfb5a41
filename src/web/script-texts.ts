import { readdirSync, readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import path from "node:path";

/** A package that runs in browsers: the file of it that is sent as it is, and what makes a module of it. */
interface KeptLibrary {
  readonly file: string;
  readonly exported: string;
}

const keptLibraries: Readonly<Record<string, KeptLibrary>> = {
  uplot: { file: "uplot/dist/uPlot.iife.min.js", exported: "export default uPlot;" },
  tinykeys: { file: "tinykeys/dist/tinykeys.mjs", exported: "" },
  idiomorph: { file: "idiomorph/dist/idiomorph.min.js", exported: "export { Idiomorph };" },
};

/** The files that hold packages. */
export const packageScripts: readonly string[] = Object.keys(keptLibraries).map(
  (name) => `${name}.js`,
);

/** Modules of src/base/ that browsers load as well: a rule that both have is written once. They need nothing of Node.js. */
const sharedModules = ["name-rank", "searched-as"] as const;

const root = path.resolve(import.meta.dirname, "../..");
const read = (...parts: readonly string[]): string =>
  readFileSync(path.join(root, ...parts), "utf8");

/**
 * Every file that browsers may load, by its name: the modules of src/browser/ and the shared ones, without their types, and packages. It reads
 * the sources. The bundle has a map in its place that packaging/script-map.ts makes of this one.
 */
export function scriptTexts(): ReadonlyMap<string, string> {
  const own = readdirSync(path.join(root, "src/browser"))
    .filter((file) => file.endsWith(".ts"))
    .toSorted()
    .map((file) => [`${path.basename(file, ".ts")}.js`, ownText("src/browser", file)] as const);
  const shared = sharedModules.map(
    (name) => [`${name}.js`, ownText("src/base", `${name}.ts`)] as const,
  );
  const libraries = Object.entries(keptLibraries).map(
    ([name, { file, exported }]) =>
      [`${name}.js`, `${read("node_modules", file)}\n${exported}\n`] as const,
  );
  return new Map([
    ...own,
    ...shared,
    ...libraries,
    ["uplot.css", read("node_modules/uplot/dist/uPlot.min.css")],
  ]);
}

/** The files that the texts are made of, relative to the repository: the bundle has their licences, too. */
export const scriptSources = (): readonly string[] =>
  Object.values(keptLibraries).map(({ file }) => `node_modules/${file}`);

/** In one folder they name each other by their file, as a browser does: `#browser/edits` is `./edits.js` there. */
const ownText = (folder: string, file: string): string =>
  stripTypeScriptTypes(read(folder, file)).replaceAll(
    /^(import [^"]*)"(?:#(?:browser|base)\/)?([\w-]+)";$/gm,
    '$1"./$2.js";',
  );
