import { writeFileSync } from "node:fs";
import { commands } from "#cli/commands";
import { helpOf } from "#cli/grammar/help";

/** docs/reference/commands.md, made from the tables that commands are read by. */
export function commandsPage(): string {
  const sections = commands.map(
    ({ grammar }) => `## picket ${grammar.name}\n\n\`\`\`text\n${helpOf(grammar)}\`\`\`\n`,
  );
  return `# Commands

See from a terminal what a service knows, and change it: what fails, since when, at which location, and why. Every command and option
is below. This page is made by \`npm run generate:docs\`.

\`\`\`sh
export SERVICE_API_URL=https://picket.example.com SERVICE_API_KEY=pkt_key_…
picket status                       # what fails first, and locations that are silent
picket status shop --watch          # one monitor, again and again
picket results shop --failed        # what its checks said, with their phases
picket results shop --csv --last 1000 > shop.csv
picket incidents                    # what is down or slow, since when
picket ack 1                        # its reminders stop
picket silence shop --for 2h        # nothing new is sent about it until then
picket deliveries --state dropped   # what was not sent, and why
picket check-now shop               # every agent of its locations checks it at once
picket token rotate office          # a new token; the old one works for another hour
picket delete monitor shop          # shows what goes, and asks
\`\`\`

\`\`\`
$ picket status
14 monitors: 1 error, 1 degraded, 12 active. 2 locations: 1 active, 1 silent.

   MONITOR  STATUS       FOR  WHERE   WHY
✗  db       error     12 min  office  connection refused (10.0.0.7:5432)
!  shop     degraded     3 h  office  slow: 612 ms, over the threshold of 500 ms; most of it was wait, 540 ms

   LOCATION  LAST SEEN (UTC)      AGO     WHY
✗  berlin    2026-11-22 04:49:43  12 min  no heartbeat for 12 minutes
\`\`\`

Names are enough; a mistake is answered with the nearest name. If two have the same name, give the id. Tables fit the
terminal; \`--json\` is one object a line, in which each duration has its unit in its name. A key with the scope \`read\`
is enough for what only shows. [Completion](../install.md#completion-in-your-shell) knows all of this, too.

${sections.join("\n")}`;
}

if (import.meta.main)
  writeFileSync(new URL("../docs/reference/commands.md", import.meta.url), commandsPage());
