import { goals } from "./goals.ts";
import { type Figure, figures } from "./paired-rows.ts";
import type {
  ConditionRecord,
  CountRecord,
  KindErrors,
  RunPlace,
  RunRecord,
  Spread,
  ToolRecord,
} from "./run-record.ts";
import { rankOf } from "./summary.ts";
import { degradedAt, type WatchedKind, watchedCount, watchedKinds } from "./targets.ts";

/** The condition that the others are compared with, and the one that may be as uncertain as it is. */
const reference = "nothing";
/** Of each watched monitor, in seconds. */
const period = 10;
const starved = "20 % of a processor";

const shown: Readonly<Record<WatchedKind, string>> = {
  http: "HTTP",
  https: "HTTPS",
  grpc: "gRPC over TLS",
  tcp: "TCP",
  dns: "DNS over UDP",
  icmp: "ICMP, one echo",
};

/** The page of a run, which says nothing that the record does not. */
export function interferencePage(record: RunRecord, counts: CountRecord | null): string {
  const { conditions, tools, absent } = record;
  return `${[
    "# What happens beside a check, and its figures",
    headlines(record, counts),
    preface(record),
    "## What was said of targets that are well",
    verdictTable(conditions),
    reasons(conditions),
    ...(counts === null ? [] : countedPart(counts)),
    "## How far each figure is off",
    errorsPreface(record),
    ...watchedKinds.map((kind) => kindTable(kind, conditions)),
    "## Other tools on the same targets",
    toolsPreface(absent),
    ...toolTables(conditions, tools),
  ].join("\n\n")}\n`;
}

function headlines({ conditions }: RunRecord, counts: CountRecord | null): string {
  const counted = counts?.conditions ?? [];
  const falseDown = sum(conditions.map((one) => one.falseDown));
  const falseDegraded = sum(conditions.map((one) => one.falseDegraded));
  const checks = sum(conditions.map((one) => one.checks));
  const unjudged = sum([...conditions, ...counted].map((one) => one.unjudged));
  const moves = conditions.flatMap((one) => movesOf(one, conditions));
  const within = moves.filter(({ isWithin }) => isWithin).length;
  const uncertain = conditions.filter(
    ({ name, uncertain, watched }) => name !== starved && uncertain > watched * goals.uncertain,
  );
  return [
    `- False downs: **${falseDown + sum(counted.map((one) => one.falseDown))}**, false degradeds: **${falseDegraded + sum(counted.map((one) => one.falseDegraded))}**, of ${grouped(checks + sum(counted.map((one) => one.checks)))} checks. The goal is none.${unjudged === 0 ? "" : ` ${grouped(unjudged)} more were degraded, and are not whole in the capture: nobody can say of these.`}`,
    `- ${within} of ${moves.length} figures moved by ${goals.median} µs or less at the median and by ${goals.p99} µs or less at the 99th percentile. That is the goal for all.`,
    outsideWords(conditions, counted),
    uncertain.length === 0
      ? "- Fewer than 1 of 100 results say that they are uncertain, whatever happened, except under the quota."
      : `- More than 1 of 100 results say that they are uncertain beside ${uncertain.map(({ name }) => name).join(", ")}.`,
  ].join("\n");
}

/** Of both runs, each by itself: the second has several times as many. */
function outsideWords(
  conditions: readonly ConditionRecord[],
  counted: readonly ConditionRecord[],
): string {
  const outsideOf = (of: readonly ConditionRecord[], what: string): string =>
    `${grouped(sum(of.map((one) => one.outside)))} of ${grouped(sum(of.map((one) => one.watched)))} ${what}`;
  const more =
    counted.length === 0
      ? ""
      : `, and ${outsideOf(counted, "in the [run of many more](#the-same-of-many-more-checks)")}`;
  const unfound = sum([...conditions, ...counted].map((one) => one.unfound));
  return `- ${outsideOf(conditions, "watched checks")} have a figure that is further off than their error bar says${more}. ${grouped(unfound)} are not whole in the capture.`;
}

const sum = (all: readonly number[]): number => all.reduce((some, one) => some + one, 0);

/** The same of many more checks. */
const countedPart = (counts: CountRecord): readonly string[] => [
  "## The same of many more checks",
  `Made by \`npm run bench:interference -- --count\` from [interference-counts.json](interference-counts.json): ${counts.rate} checks a second in all, and
those of the condition, for ${counts.seconds} s each. Any of them may be a false down. A false degraded is one of the ${grouped(sum(counts.conditions.map((one) => one.watched)))} watched checks, which
the capture has again. ${runWords(counts)}`,
  verdictTable(counts.conditions),
  reasons(counts.conditions),
];

const runWords = ({ version, commit, at, took }: RunPlace): string =>
  `The run of Picket ${version} at commit ${commit} began at
${at} and took ${took} s.`;

const preface = (record: RunRecord): string =>
  `Made by \`npm run bench:interference\` from [interference.json](interference.json). Do not edit.

${watchedCount} monitors of each kind are checked every 10 s by one whole agent, started as the image starts it. A packet capture
of the interface (tcpdump, nanosecond stamps) has each of their checks again. One thing after another happens on the same
machine for ${record.seconds} s each. A target is well if it answers within ${degradedAt} ms by the capture: all of these do unless the page says
otherwise. \`latency\` is the total without the agent's [own work](../timing.md#our-own-work). "Outside the error bar" is a check of
which a figure is further off than its [error bar](../timing.md#the-error-bar) and 25 µs for the capture. A failure that the agent takes on itself accuses no target, and its slot counts as missed.

All processes share one machine of ${record.processors} processors (Node.js ${record.node}, Linux ${record.kernel}), the targets and the capture too. ${runWords(record)} "Load" is that of the machine when a condition began: what else ran there is in it.`;

function verdictTable(conditions: readonly ConditionRecord[]): string {
  const head = [
    "beside the checks",
    "what it is",
    "load",
    "checks",
    "missed",
    "uncertain",
    "outside the error bar",
    "false down",
    "false degraded",
  ];
  return table(
    head,
    conditions.map((one) => [
      one.name,
      one.about,
      one.load.toFixed(1),
      grouped(one.checks),
      String(Math.max(0, one.expected - one.checks) + one.ownFaults),
      share(one.uncertain, one.watched),
      share(one.outside, one.watched),
      String(one.falseDown),
      one.unjudged === 0
        ? String(one.falseDegraded)
        : `${one.falseDegraded}, and ${one.unjudged} unknown`,
    ]),
  );
}

function reasons(conditions: readonly ConditionRecord[]): string {
  const some = conditions.filter(({ why }) => why.length > 0);
  if (some.length === 0) return "No check of these failed.";
  const lines = some.flatMap(({ name, why }) => why.map((text) => `- ${name}: ${text}`));
  return ["What failed said (N is a number):", "", ...lines].join("\n");
}

const errorsPreface = ({ conditions, seconds }: RunRecord): string => {
  const each = Math.round((watchedCount / period) * seconds);
  const worse = each - 1 - rankOf(0.99, each);
  return `Microseconds off the capture, median / 99th percentile, without results that say that they are uncertain. **Bold** moved by more
than the goal from the row of nothing. Each row has ${each} checks: its 99th percentile is ${worse === 0 ? "the worst of them" : `the worst but ${worse}`}. One or two of
1,000 handshakes are off by 50 µs or more, in whichever row (\`connect\`): the kernel's record of them is
[that much longer](wire-truth.md) than the capture.

\`wait\` of gRPC is what moves most, while \`latency\` stays right: the head of the answer and its end are several packets, and all
have the time of the last if the kernel has joined them or the thread reads them at once.${joinedWords(conditions)} The error bar says
by how much \`wait\` may be off.`;
};

/** Empty of a record that does not have it. */
function joinedWords(conditions: readonly ConditionRecord[]): string {
  const late = conditions.flatMap(({ lateWaits }) => lateWaits ?? []);
  if (late.length === 0) return "";
  const [all, joined] = [sum(late.map((one) => one.all)), sum(late.map((one) => one.joined))];
  return ` Of ${grouped(all)} checks of any kind whose
\`wait\` is off by more than ${goals.p99} µs, ${grouped(joined)} are off by what lay between the first packet of the answer and the last in the
capture, within 25 µs.`;
}

function kindTable(kind: WatchedKind, conditions: readonly ConditionRecord[]): string {
  const used = figures.filter((figure) =>
    conditions.some((one) => errorsOf(one, kind)?.[figure] !== null),
  );
  const rows = conditions.map((one) => [
    one.name,
    String(errorsOf(one, kind)?.checks ?? 0),
    ...used.map((figure) => {
      const cell = cellOf(errorsOf(one, kind)?.[figure] ?? null);
      const move = movesOf(one, conditions).find((m) => m.kind === kind && m.figure === figure);
      return move === undefined || move.isWithin ? cell : `**${cell}**`;
    }),
  ]);
  return `### ${shown[kind]}\n\n${table(["beside the checks", "checks", ...used], rows)}`;
}

const errorsOf = (one: ConditionRecord, kind: WatchedKind): KindErrors | undefined =>
  one.kinds.find((errors) => errors.kind === kind);

interface Move {
  readonly kind: WatchedKind;
  readonly figure: Figure;
  readonly isWithin: boolean;
}

function movesOf(one: ConditionRecord, conditions: readonly ConditionRecord[]): readonly Move[] {
  const quiet = conditions.find(({ name }) => name === reference);
  if (quiet === undefined || one === quiet) return [];
  return watchedKinds.flatMap((kind) =>
    figures.flatMap((figure) => {
      const [was, is] = [errorsOf(quiet, kind)?.[figure], errorsOf(one, kind)?.[figure]];
      if (!was || !is) return [];
      const isWithin = is.median - was.median <= goals.median && is.p99 - was.p99 <= goals.p99;
      return [{ kind, figure, isWithin }];
    }),
  );
}

const toolsPreface = (absent: readonly string[]): string =>
  `They check the same servers in the same minutes, beside the same things, at addresses of their own in the same capture; Picket has
nothing to check meanwhile. A tool without \`wait\` has its time from the end of the handshake to the first byte there. "Better"
names the figures in which a tool is nearer to the capture than Picket, at the median or at the 99th percentile. A tool that
reports whole milliseconds says 0 for what takes less, and that is near what loopback takes.

${absent.length === 0 ? "Nothing was skipped." : `Skipped, because this machine does not have it: ${absent.join(", ")}.`}`;

function toolTables(
  conditions: readonly ConditionRecord[],
  tools: readonly ToolRecord[],
): readonly string[] {
  return watchedKinds.flatMap((kind) => {
    const of = tools.filter((one) => one.kind === kind);
    if (of.length === 0) return [];
    const rows = conditions.flatMap((condition) => {
      const beside = of.filter((one) => one.condition === condition.name);
      const ours = errorsOf(condition, kind);
      if (beside.length === 0 || ours === undefined) return [];
      return [
        toolRow(condition.name, "Picket", condition.falseDown, ours, ""),
        ...beside.map((one) =>
          toolRow(condition.name, one.tool, one.failed, one, betterIn(one, ours)),
        ),
      ];
    });
    const head = [
      "beside the checks",
      "tool",
      "checks",
      "failed",
      ...toolFigures,
      "better than Picket",
    ];
    return [`### ${shown[kind]}, by tool\n\n${table(head, rows)}`];
  });
}

const toolFigures = ["connect", "wait", "latency"] as const;

const toolRow = (
  condition: string,
  tool: string,
  failed: number,
  errors: KindErrors,
  better: string,
): readonly string[] => [
  condition,
  tool,
  String(errors.checks),
  String(failed),
  ...toolFigures.map((figure) => cellOf(errors[figure])),
  better,
];

function betterIn(theirs: KindErrors, ours: KindErrors): string {
  const found = toolFigures.flatMap((figure) => {
    const [one, other] = [theirs[figure], ours[figure]];
    if (one === null || other === null) return [];
    const at = [
      ...(one.median < other.median ? ["median"] : []),
      ...(one.p99 < other.p99 ? ["p99"] : []),
    ];
    return at.length === 0 ? [] : [`${figure}: ${at.join(" and ")}`];
  });
  return found.length === 0 ? "–" : found.join("; ");
}

const share = (some: number, all: number): string =>
  `${((100 * some) / Math.max(1, all)).toFixed(2)} %`;

const cellOf = (spread: Spread | null): string =>
  spread === null ? "–" : `${short(spread.median)} / ${short(spread.p99)}`;

const short = (micros: number): string => (micros < 10 ? micros.toFixed(1) : micros.toFixed(0));

const grouped = (count: number): string => count.toLocaleString("en-US");

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
