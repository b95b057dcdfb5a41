import path from "node:path";
import type { Plugin } from "rolldown";
import { minifySync } from "rolldown/utils";
import { shippedTexts } from "#service/downloads/shipped-texts";
import { scriptTexts } from "#web/script-texts";

/** The modules that read texts from the sources, each with what it is in the bundle. */
const reading: Readonly<Record<string, () => string>> = {
  "/src/web/script-texts.ts": () => mapOf("scriptTexts", smallTexts()),
  "/src/service/downloads/shipped-texts.ts": () => mapOf("shippedTexts", shippedTexts()),
};

const mapOf = (name: string, texts: ReadonlyMap<string, string>): string =>
  `const texts = new Map(${JSON.stringify([...texts])}); export const ${name} = () => texts;`;

/** Has the bundle hold what browsers load, made small, and what machines of agents get, instead of what reads both from the sources. */
export const scriptMap: Plugin = {
  name: "texts of the sources",
  load: (id) => {
    const file = id.split(path.sep).join("/");
    const [, text] = Object.entries(reading).find(([end]) => file.endsWith(end)) ?? [];
    return text?.() ?? null;
  },
};

/** The texts as they ship. */
export const smallTexts = (): ReadonlyMap<string, string> =>
  new Map(Array.from(scriptTexts(), ([file, text]) => [file, smallText(file, text)]));

function smallText(file: string, text: string): string {
  if (!file.endsWith(".js")) return text;
  const { code, errors } = minifySync(file, text, { module: true });
  const [fault] = errors;
  if (fault !== undefined) throw new Error(`${file} cannot be made small: ${fault.message}`);
  return code;
}
