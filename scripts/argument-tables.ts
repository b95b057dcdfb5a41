import type { Argument, Arguments } from "#check/argument";

/** A section of a page: an example, and the arguments of a resource in tables. */
export function argumentSection(name: string, fields: Arguments, example: string): string {
  const lists = Object.entries(fields).flatMap(([key, { rows }]) =>
    rows === null ? [] : [`Each entry of \`${key}\`:\n\n${tableOf(rows)}`],
  );
  return `## ${name}

\`\`\`yaml
${example}
\`\`\`

${[tableOf(fields), ...lists].join("\n\n")}
`;
}

function tableOf(fields: Arguments): string {
  const cell = (text: string): string => text.replaceAll("|", "\\|");
  const rows = Object.entries(fields).map(
    ([key, field]) =>
      `| \`${key}\` | ${cell(field.does)} | ${cell(field.takes)} | ${cell(field.limit)} | ${fallbackOf(field)} |`,
  );
  return `| key | what it is for | takes | limit | default |
| --- | --- | --- | --- | --- |
${rows.join("\n")}`;
}

function fallbackOf({ fallback, required }: Argument<unknown>): string {
  if (required({})) return "required";
  // What is not one value, e.g. an empty list, says nothing that its description does not say.
  if (fallback === "" || typeof fallback === "object") return "";
  return `\`${typeof fallback === "string" ? fallback : JSON.stringify(fallback)}\``;
}
