import path from "node:path";
import type { Plugin } from "rolldown";
import { minifySync } from "rolldown/utils";
import { scriptTexts } from "#web/script-texts";

/** Reads scripts of browsers from the sources. */
const reading = "/src/web/script-texts.ts";

/** Has the bundle hold what browsers load, made small, instead of the module that reads it from the sources. */
export const scriptMap: Plugin = {
  name: "scripts of browsers",
  load: (id) =>
    id.split(path.sep).join("/").endsWith(reading)
      ? `const texts = new Map(${JSON.stringify([...smallTexts()])}); export const scriptTexts = () => texts;`
      : null,
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
