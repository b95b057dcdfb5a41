import { readFileSync } from "node:fs";
import path from "node:path";

/** `node packaging/release-notes.ts TAG`: what CHANGELOG.md says of a version, for the page of its release. */
export function notesOf(tag: string, changelog: string): string | null {
  const sections = changelog.split(/^## /m);
  const section = sections.find((one) => one.startsWith(`${tag.replace(/^v/, "")} (`));
  return section === undefined ? null : `${section.slice(section.indexOf("\n")).trim()}\n`;
}

if (import.meta.main) {
  const [tag = ""] = process.argv.slice(2);
  const file = path.resolve(import.meta.dirname, "../CHANGELOG.md");
  const notes = notesOf(tag, readFileSync(file, "utf8"));
  if (notes === null) {
    process.stderr.write(`CHANGELOG.md has no section of ${tag}: add one\n`);
    process.exit(1);
  }
  process.stdout.write(notes);
}
