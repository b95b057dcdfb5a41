import { writeFileSync } from "node:fs";
import { expectations } from "#config/setting-kinds";
import { serviceSettings } from "#config/service-settings";
import { type Setting, settings } from "#config/agent-settings";

/** docs/reference/configure.md, made from the table of settings. */
export function configurePage(): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("*", "\\*");
  const rowsOf = (table: Readonly<Record<string, Setting>>): string =>
    Object.entries(table)
      .map(([name, { kind, fallback, does }]) => {
        const otherwise = fallback === null || fallback === "" ? "" : `\`${fallback}\``;
        return `| \`${name}\` | ${cell(does)} | ${cell(expectations[kind])} | ${otherwise} |`;
      })
      .join("\n");
  return `# Settings of the agent

Set these environment variables to change how an agent works. For example, see what an agent with them would use:

\`\`\`sh
PICKET_TOKEN_FILE=/etc/picket/token PICKET_POLL_INTERVAL=30s PICKET_LISTEN=off picket config
\`\`\`

\`picket config\` prints every setting in effect with its source, and names every mistake at once. This page is made
by \`npm run generate:docs\`.

| variable | what it does | takes | default |
| --- | --- | --- | --- |
${rowsOf(settings)}

# Settings of the service

Set these where \`picket service\` runs, or \`picket up\`. For example, mail by a server that wants a login:

\`\`\`sh
PICKET_SMTP_URL=smtp://picket:password@mail.example.com PICKET_SMTP_FROM='Picket <picket@example.com>' picket service
\`\`\`

[notifications.md](../notifications.md) says which of them a provider needs.

| variable | what it does | takes | default |
| --- | --- | --- | --- |
${rowsOf(serviceSettings)}
`;
}

if (import.meta.main)
  writeFileSync(new URL("../docs/reference/configure.md", import.meta.url), configurePage());
