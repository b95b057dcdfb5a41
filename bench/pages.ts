import { createServer } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Clock, systemClock } from "#base/clock";
import { silentLogger } from "#base/log";
import { pictureRenewedEvery } from "#limits/pages-limits";
import { epochMillis, millis, minutes, nanos } from "#base/units";
import { startService } from "#service/server";
import { reportOf } from "#wire/report";
import { workFolder } from "../packaging/work-folder.ts";
import { resultWith } from "../test/support/results.ts";
import { benchPlane } from "./bench-plane.ts";
import { fillMonitors } from "./pages/many-monitors.ts";
import { formTokenIn, send, type Visit, visit } from "./pages/visits.ts";
import { own } from "./running-service.ts";
import { quantileOf } from "./stored-results.ts";
import { loadWords, writeTable } from "./written-table.ts";

/*
 * How soon the service's pages and their acts answer: the overview, acts on all monitors, and a month's report, at 1,000
 * monitors with 90 days, and at 100,000 with 7. `npm run bench:pages [-- --monitors 1000] [--table FILE]`. First byte in
 * milliseconds; `own` without the waits of the service's main thread for a processor that others had; and processor time of
 * service and reader. On a machine that others use, only the last two can be compared.
 */
const { values } = parseArgs({
  options: { monitors: { type: "string" }, table: { type: "string" } },
});
const sizes = values.monitors === undefined ? [1_000, 100_000] : [Number(values.monitors)];
const token = "pkt_loc_bench";
/** A report names so many monitors; of more than those, no act is on all. */
const actsUpTo = 1_000;

/** Time that jumps, as if no one had looked for so long. */
let jumped = 0;
const clock: Clock = {
  wall: () => epochMillis(systemClock.wall() + jumped),
  monotonic: () => nanos(systemClock.monotonic() + jumped * 1e6),
  sleep: (duration, signal) => systemClock.sleep(duration, signal),
};

const lines: string[] = [];
function row(monitors: number, what: string, visits: readonly Visit[], bound: number | null): void {
  const wrong = visits.find(({ status }) => status >= 400);
  if (wrong !== undefined) throw new Error(`${what}: ${wrong.status} ${wrong.text.slice(0, 300)}`);
  const firstBytes = visits.map(({ firstByteMillis }) => firstByteMillis);
  const unqueued = visits.map(({ firstByteMillis: all, queuedMillis: queued }) =>
    own({ all, queued }),
  );
  const processor = quantileOf(
    visits.map(({ processorMillis }) => processorMillis),
    0.5,
  );
  const figures = [
    quantileOf(firstBytes, 0.5),
    quantileOf(firstBytes, 0.95),
    quantileOf(unqueued, 0.95),
    processor,
  ];
  const cells = figures.map((figure) => figure.toFixed(1).padStart(7));
  const line = `| ${monitors.toLocaleString("en")} | ${what.padEnd(46)} | ${cells.join(" | ")} | ${bound ?? "–"} |`;
  lines.push(line);
  process.stdout.write(`${line}\n`);
}

async function several(
  count: number,
  before: () => unknown,
  look: () => Promise<Visit>,
): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  for (let round = 0; round < count; round += 1) {
    await before();
    visits.push(await look());
  }
  return visits;
}

const pause = (duration: number): Promise<void> => systemClock.sleep(millis(duration));

/** Reports how monitors are, as an agent does. */
async function report(url: string, monitors: readonly number[], isDown: IsDown): Promise<void> {
  const slot = clock.wall();
  const results = monitors.map((monitor) =>
    reportOf(
      resultWith({
        monitorId: String(monitor),
        slot,
        startedAt: slot,
        latency: millis(40),
        status: isDown(monitor) ? "error" : "success",
      }),
    ),
  );
  await benchPlane(url, token).report(results, () => {}, new AbortController().signal);
}

type IsDown = (monitor: number) => boolean;

/** Seconds: four times as long as it takes beside other programs. */
const judgedWithin = 180;

const firstLineOf = ({ status, text }: Visit): string =>
  /<p class="lede">([^<]*)/.exec(text)?.[1] ?? `${status} ${text.slice(0, 200)}`;

/** Of how many monitors the judge has said that they fail, by the first line of the overview. */
const failingIn = (seen: Visit): number =>
  Number(/^(.*) failing/.exec(firstLineOf(seen))?.[1]?.replaceAll(/\D/g, ""));

async function measure(monitors: number, folder: string): Promise<void> {
  const database = path.join(folder, `${monitors}.sqlite`);
  const isSmall = monitors <= actsUpTo;
  const began = performance.now();
  await fillMonitors({ database, monitors, days: isSmall ? 90 : 7, token, now: clock.wall() });
  const listen = { host: "127.0.0.1", port: 0, pages: "local" as const };
  await using started = await startService({ database, ...listen, clock, log: silentLogger });
  const overview = `${started.url}/`;
  const failing = monitors / 50;
  const first = await visit(overview);
  row(monitors, "overview, the first look after a start", [first], null);
  for (let seen = first; failingIn(seen) !== failing; seen = await visit(overview)) {
    const elapsed = (performance.now() - began) / 1e3;
    if (elapsed > judgedWithin)
      throw new Error(
        `${failing} are to fail, and after ${elapsed.toFixed(0)} s the overview says: ${firstLineOf(seen)}`,
      );
    await pause(2_000);
  }
  const took = ((performance.now() - began) / 1e3).toFixed(0);
  process.stdout.write(`${monitors} monitors filled and judged in ${took} s\n`);
  await overviews(monitors, started.url);
  if (isSmall) await actsAndReports(monitors, started.url);
  if (isSmall) await whileResultsComeIn(monitors, started.url);
}

async function overviews(monitors: number, url: string): Promise<void> {
  const overview = `${url}/`;
  const bound = monitors <= actsUpTo ? 50 : 100;
  const look = () => visit(overview);
  const show = (what: string, visits: readonly Visit[]): void => row(monitors, what, visits, bound);
  // In a new process the code of a page is slow the first times; whoever has just started the service sees that.
  row(monitors, "overview, the next four looks", await several(4, () => pause(50), look), null);
  show("overview, looked at just now", await several(20, () => pause(50), look));
  let isDown = false;
  const turn = async (): Promise<void> => {
    isDown = !isDown;
    await report(url, [1], () => isDown);
    await pause(100);
  };
  show("overview, a verdict came since", await several(10, turn, look));
  show("overview, looked at 9 s ago", await several(4, () => pause(9_000), look));
  /** The service's own upkeep goes by the machine's time: it has one round, as it has many in that time. */
  const jump = (length: number) => async (): Promise<void> => {
    jumped += minutes(length);
    // An agent calls all the time: a location that is silent for a minute has all its monitors judged again.
    await report(url, [1], () => isDown);
    return pause(pictureRenewedEvery + 500);
  };
  show("overview, looked at a minute ago", await several(4, jump(1), look));
  show("overview, looked at 17 minutes ago", await several(3, jump(17), look));
  const found = () => visit(`${url}/?text=host-77`);
  show("overview, a search", await several(6, () => pause(50), found));
  const named = () => visit(`${url}/jump.json?text=pause%20host-77`);
  show("what Ctrl+K finds", await several(6, () => pause(50), named));
  const failing = () => visit(`${url}/?state=error`);
  show("overview, what fails", await several(6, () => pause(50), failing));
}

async function actsAndReports(monitors: number, url: string): Promise<void> {
  const show = (what: string, visits: readonly Visit[]): void => row(monitors, what, visits, 200);
  const page = await visit(`${url}/`);
  const formToken = formTokenIn(page);
  const [, seen = ""] = /name="seen" value="([^"]*)"/.exec(page.text) ?? [];
  const act = (fields: Readonly<Record<string, string>>) => () =>
    send(`${url}/monitors/many`, formToken, { all: "yes", query: "", seen, ...fields });
  let round = 0;
  const labelled = () => act({ act: "label", key: "round", value: String((round += 1)) })();
  show("label all", await several(5, () => pause(200), labelled));
  const pauses: Visit[] = [];
  const resumes: Visit[] = [];
  for (let turn = 0; turn < 4; turn += 1) {
    pauses.push(await act({ act: "pause" })());
    await visit(`${url}/`);
    resumes.push(await act({ act: "resume" })());
    await visit(`${url}/`);
  }
  show("pause all", pauses);
  show("resume all", resumes);
  await using receiver = await listening();
  const channel = {
    name: "ops",
    endpoint: receiver.url,
    every_monitor: "yes",
    events: "error",
    time_zone: "UTC",
  };
  const tried = () => send(`${url}/channels/new/webhook`, formToken, { ...channel, test: "yes" });
  const waited = () => {
    // A channel takes one test message in ten seconds.
    jumped += 11_000;
  };
  show("a channel's test message", await several(5, waited, tried));
  const month = (back: number): string => {
    const at = new Date(clock.wall());
    return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() - back, 1))
      .toISOString()
      .slice(0, 7);
  };
  const forget = () => {
    jumped += minutes(2);
  };
  let back = 0;
  const reported = () => visit(`${url}/uptime?month=${month((back += 1) % 3)}`);
  show("a month's report, asked for anew", await several(6, forget, reported));
}

/** A person looks again and again while a result of each monitor comes in, and while the judge is at it. */
async function whileResultsComeIn(monitors: number, url: string): Promise<void> {
  const ids = Array.from({ length: monitors }, (_, index) => index + 1);
  const reportAll = async (isDown: IsDown): Promise<void> => {
    for (let first = 0; first < monitors; first += 250)
      await report(url, ids.slice(first, first + 250), isDown);
  };
  const looks = async (isDown: IsDown): Promise<readonly Visit[]> => {
    const visits: Visit[] = [];
    let isSent = false;
    const sent = reportAll(isDown).finally(() => {
      isSent = true;
    });
    for (let after = 0; after < 15; after += isSent ? 1 : 0) {
      visits.push(await visit(`${url}/`));
      await pause(20);
    }
    await sent;
    return visits;
  };
  const asBefore = (monitor: number): boolean => monitor % 50 === 0;
  const rounds = async (wanted: readonly IsDown[]): Promise<readonly Visit[]> => {
    const visits: Visit[] = [];
    for (const isDown of wanted) visits.push(...(await looks(isDown)));
    return visits;
  };
  const five = [asBefore, asBefore, asBefore, asBefore, asBefore];
  row(monitors, "overview, while all results come in", await rounds(five), 50);
  const turns = [() => true, () => false, () => true, () => false];
  row(monitors, "overview, while all begin to fail, or end", await rounds(turns), 50);
}

/** Takes what a webhook sends. */
async function listening(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_request, response) => void response.end("ok"));
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

const heads = [
  "| monitors | what | first byte, median | p95 | p95, own | processor | bound, p95 |",
  "| --- | --- | --- | --- | --- | --- | --- |",
];
using work = workFolder(path.join(tmpdir(), "picket-bench-"));
const before = loadWords();
process.stdout.write(`load ${before}\n${heads.join("\n")}\n`);
for (const monitors of sizes) await measure(monitors, work.path);
process.stdout.write(`load ${loadWords()}\n`);
if (values.table !== undefined)
  writeTable(values.table, {
    bench: "pages",
    made: `load ${before} before and ${loadWords()} after`,
    table: [...heads, ...lines].join("\n"),
  });
