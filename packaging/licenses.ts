import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { root } from "./bundle.ts";

/** What may be passed on inside Picket on the terms of each alone: they ask for their text, and for nothing of ours. */
const accepted: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "(Apache-2.0 AND BSD-3-Clause)",
  "(MIT OR Apache-2.0)",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
]);

/**
 * The licence of every package that one of these files (paths relative to the repository) comes from, whole. Throws when
 * a package has a licence that was not reviewed, or does not bring its text.
 */
export function licensesOf(files: readonly string[]): string {
  const packages = new Set(files.map(packageOf).filter((folder) => folder !== null));
  return [
    "What follows is part of Picket's bundle, each under its own licence.\n",
    ...[...packages].toSorted().map(licenseOf),
  ].join(`\n${"-".repeat(80)}\n\n`);
}

/** The innermost folder under node_modules that is a package: `@scope/name`, or `name`. */
const packageOf = (file: string): string | null =>
  /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? null;

function licenseOf(folder: string): string {
  const manifest: { name: string; version: string; license?: string } = JSON.parse(
    read(path.join(folder, "package.json")),
  );
  const { name, version, license } = manifest;
  if (license === undefined || !accepted.has(license))
    throw new Error(
      `${name} has the licence ${license}: add it to what is accepted, or go without`,
    );
  return `${name} ${version} (${license})\n\n${textOf(folder, license)}\n`;
}

/** The files that it brings. Where a package of these brings none, its licence is the one that is ours too. */
function textOf(folder: string, license: string): string {
  const files = readdirSync(path.join(root, folder))
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .toSorted();
  if (files.length > 0) return files.map((file) => read(path.join(folder, file))).join("\n\n");
  const said = licenseInReadme(folder);
  if (said !== null) return said;
  if (license === "Apache-2.0") return read("LICENSE");
  const notice = sourceWithNotice[folder];
  if (notice === undefined) throw new Error(`${folder} does not bring the text of its licence`);
  const [head] = /^(\/\/.*\n)+/.exec(read(path.join(folder, notice))) ?? [];
  if (head === undefined) throw new Error(`${folder}/${notice} does not begin with its licence`);
  return `${read("LICENSE")}\n\nand, for what is Google's in it:\n\n${head.replaceAll(/^\/\/ ?/gm, "")}`;
}

/** The text under the last heading of a README, if that is a whole licence; null if there is none. */
function licenseInReadme(folder: string): string | null {
  const readme = readdirSync(path.join(root, folder)).find((file) => /^readme\.md$/i.test(file));
  if (readme === undefined) return null;
  const [, text] = /\n#+ *licen[cs]e *\n([\s\S]*)$/i.exec(read(path.join(folder, readme))) ?? [];
  return text !== undefined && /copyright/i.test(text) ? text.trim() : null;
}

/** Partly Apache-2.0, and partly what the first lines of this file say. */
const sourceWithNotice: Readonly<Record<string, string>> = {
  "node_modules/@bufbuild/protobuf": "dist/esm/wire/varint.js",
};

const read = (file: string): string => readFileSync(path.join(root, file), "utf8").trim();
