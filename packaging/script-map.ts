import path from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { minifySync } from "rolldown/utils";
import { shippedTexts } from "#service/downloads/shipped-texts";
import { packageScripts, scriptTexts } from "#web/script-texts";
import { firstScripts } from "#web/scripts";

/** The modules that read texts from the sources, each with what it is in the bundle. */
const reading: Readonly<Record<string, () => Promise<string>>> = {
  "/src/web/script-texts.ts": async () => mapOf("scriptTexts", await smallTexts()),
  "/src/service/downloads/shipped-texts.ts": async () => mapOf("shippedTexts", shippedTexts()),
};

const mapOf = (name: string, texts: ReadonlyMap<string, string>): string =>
  `const texts = new Map(${JSON.stringify([...texts])}); export const ${name} = () => texts;`;

/** Has the bundle hold what browsers load, made small, and what machines of agents get, instead of what reads both from the sources. */
export const scriptMap: Plugin = {
  name: "texts of the sources",
  load: (id) => {
    const file = id.split(path.sep).join("/");
    const [, text] = Object.entries(reading).find(([end]) => file.endsWith(end)) ?? [];
    return text === undefined ? null : text();
  },
};

/**
 * The texts as they ship: modules that are loaded together are one file, which is fewer requests, and compresses better.
 * Packages stay as they are, made small.
 */
export async function smallTexts(): Promise<ReadonlyMap<string, string>> {
  const texts = scriptTexts();
  const parts = await joined(texts);
  const kept = [...texts].filter(([file]) => !parts.used.has(file));
  return new Map(
    [...kept, ...parts.texts].map(([file, text]) => [file, smallText(file, text)] as const),
  );
}

interface JoinedTexts {
  readonly used: ReadonlySet<string>;
  readonly texts: readonly (readonly [string, string])[];
}

async function joined(texts: ReadonlyMap<string, string>): Promise<JoinedTexts> {
  const used = new Set<string>();
  await using build = await rolldown({
    input: firstScripts.map((name) => `./${name}.js`),
    platform: "browser",
    makeAbsoluteExternalsRelative: false,
    plugins: [modulesOf(texts, used)],
    checks: { bundlerTimings: false },
    onLog: (_level, { message }) => {
      throw new Error(`the scripts of pages cannot be joined: ${message}`);
    },
  });
  const { output } = await build.generate({
    entryFileNames: "[name].js",
    chunkFileNames: "part-[name].js",
    comments: false,
  });
  return {
    used,
    texts: output.flatMap((one) =>
      one.type === "chunk" ? [[one.fileName, one.code] as const] : [],
    ),
  };
}

/** Modules by their file's name, instead of files. */
const modulesOf = (texts: ReadonlyMap<string, string>, used: Set<string>): Plugin => ({
  name: "modules of browsers",
  resolveId: (id) => {
    const file = id.replace("./", "");
    return packageScripts.includes(file) ? { id, external: true } : file;
  },
  load: (file) => {
    used.add(file);
    return texts.get(file) ?? null;
  },
});

function smallText(file: string, text: string): string {
  if (!file.endsWith(".js")) return text;
  const { code, errors } = minifySync(file, text, { module: true });
  const [fault] = errors;
  if (fault !== undefined) throw new Error(`${file} cannot be made small: ${fault.message}`);
  return code;
}
