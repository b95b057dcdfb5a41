import { createHash } from "node:crypto";
import { scriptTexts } from "#web/script-texts";

/** A file that a page's browser runs, or that such a file loads. */
export interface Script {
  readonly type: string;
  readonly body: string;
  /** Whether its address says which text it has: it may be kept, for it never changes. */
  readonly isExact: boolean;
}

/** Modules that a page may begin with: each is a file of src/browser/. */
const scriptNames = [
  "chart",
  "form",
  "icon-preview",
  "live",
  "many",
  "order",
  "outside",
  "passkey",
  "preview",
  "showing",
  "typed-early",
  "zone",
] as const;
export type ScriptName = (typeof scriptNames)[number];

/** Those that status pages serve themselves, at their own address. */
const readerScripts = ["reader-times", "reader-days", "reader-renewal"] as const;

/** Every module that a browser asks for by its name. */
export const firstScripts: readonly string[] = [...scriptNames, ...readerScripts];

/** Read when the first page is made. */
let texts: ReadonlyMap<string, string> | null = null;
let version = "";

function loaded(): ReadonlyMap<string, string> {
  if (texts !== null) return texts;
  texts = scriptTexts();
  const hash = createHash("sha256").update(JSON.stringify([...texts]));
  version = hash.digest("base64url").slice(0, 12);
  return texts;
}

/** Where a page finds a script. All of them change their address when one of them changes, so they load each other. */
export function scriptAddress(name: ScriptName): string {
  loaded();
  return `/scripts/${version}/${name}.js`;
}

/** A module of src/browser/ for pages that serve it themselves, at their own address. */
export const scriptText = (
  name: (typeof readerScripts)[number] | "reader-zone" | "idiomorph",
): string => loaded().get(`${name}.js`) ?? "";

/**
 * The file at a path; null if it is none of ours. An address of another version gets today's text: its page comes from
 * another replica, during an upgrade.
 */
export function scriptAt(pathname: string): Script | null {
  const [, asked = "", file = ""] =
    /^\/scripts\/([\w-]+)\/([\w-]+\.(?:js|css))$/.exec(pathname) ?? [];
  const body = loaded().get(file);
  if (body === undefined) return null;
  const type = `text/${file.endsWith(".js") ? "javascript" : "css"}; charset=utf-8`;
  return { type, body, isExact: asked === version };
}
