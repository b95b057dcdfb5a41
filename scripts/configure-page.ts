import { writeFileSync } from "node:fs";
import { expectations } from "#config/setting-kinds";
import { type Setting, settings } from "#config/settings";

/** docs/configure.md, made from the table of settings. */
export function configurePage(): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("*", "\\*");
  const rows = Object.entries<Setting>(settings).map(([name, { kind, fallback, does }]) => {
    const otherwise = fallback === null || fallback === "" ? "" : `\`${fallback}\``;
    return `| \`${name}\` | ${cell(does)} | ${cell(expectations[kind])} | ${otherwise} |`;
  });
  return `# Settings of the agent

All come from the environment. \`picket config\` prints what holds and where it came from, and names every mistake at
once. This page is made by \`npm run generate:docs\`.

| variable | what it does | takes | default |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

if (import.meta.main)
  writeFileSync(new URL("../docs/configure.md", import.meta.url), configurePage());
