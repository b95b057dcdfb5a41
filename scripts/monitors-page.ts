import { writeFileSync } from "node:fs";
import { configurationPage } from "./configuration-page.ts";
import { argumentSection } from "./argument-tables.ts";
import { kindTable } from "#check/kinds/kind-table";
import { kinds } from "#check/monitor";
import { argumentsOf, listOf } from "#check/monitor-arguments";

/** docs/reference/monitors.md, made from the tables that a monitors file is read by. */
export function monitorsPage(): string {
  return `# Monitors files

Write down what to check, then run it: \`picket up --monitors monitors.yaml\` on one machine, or
\`picket apply -f monitors.yaml --location office\` for a service. A mistake is shown with its line and column, and
nothing is changed. [Configuration as code](configuration.md) has the rest that files may say. This page is made by \`npm run generate:docs\`.

A file is YAML with a list for each kind of check. Anchors, aliases and merge keys work, and
the file may have keys of your own that begin with \`x-\`. Text that starts with a special character, or that looks like a
number, needs quotes.

\`\`\`yaml
x-usual: &usual { periodicity: 1m, active: true, timeout: 5000 }
http_monitors:
  - { <<: *usual, name: shop, url: https://shop.internal/ }
  - { <<: *usual, name: desk, url: https://desk.internal/, periodicity: 5m }
\`\`\`

${kinds.map((kind) => argumentSection(listOf(kind), argumentsOf(kind), kindTable[kind].example)).join("\n")}`;
}

if (import.meta.main) {
  writeFileSync(new URL("../docs/reference/monitors.md", import.meta.url), monitorsPage());
  writeFileSync(
    new URL("../docs/reference/configuration.md", import.meta.url),
    configurationPage(),
  );
}
