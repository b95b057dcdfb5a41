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

Set these environment variables to change how an agent works. For example, see what an agent with them would use:

\`\`\`sh
PICKET_TOKEN_FILE=/etc/picket/token PICKET_POLL_INTERVAL=30s PICKET_LISTEN=off picket config
\`\`\`

\`picket config\` prints every setting in effect and where it came from, and names every mistake at once. This page is made
by \`npm run generate:docs\`.

| variable | what it does | takes | default |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

if (import.meta.main)
  writeFileSync(new URL("../docs/configure.md", import.meta.url), configurePage());
