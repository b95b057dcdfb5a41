import { describe, expect, it } from "vitest";
import { startLiveView } from "#cli/up/live-view";
import { plainLine, startPlainView } from "#cli/up/plain-view";
import { columnsOf } from "#cli/edge/shown-text";
import { type TableRow, tableLines } from "#cli/up/table";
import { failure } from "#check/failure";
import type { Result } from "#check/result";
import { epochMillis, millis, nanos } from "#base/units";
import { captureIo } from "../../support/captured-io.ts";
import { FakeClock } from "../../support/fake-clock.ts";
import { passed } from "../../support/twins.ts";

const at = epochMillis(Date.UTC(2026, 0, 1, 12, 34, 56));
const watched = { id: "m1", kind: "http", name: "web" } as const;

function resultOf(part: Partial<Result>): Result {
  return {
    id: "r",
    monitorId: "m1",
    kind: "http",
    uri: "http://web/",
    slot: at,
    startedAt: at,
    status: "success",
    failure: null,
    cause: null,
    place: null,
    latency: millis(12),
    degradedAt: null,
    outcome: null,
    evaluations: [],
    attempts: [],
    ...part,
  };
}

const failed = resultOf({
  status: "error",
  failure: failure("connection_refused", "connect", "connection refused (10.0.0.1:443)"),
});

describe("a plain line", () => {
  it("says time, status, kind, name and latency", () => {
    expect(plainLine(resultOf({}), watched)).toBe(
      `12:34:56Z  success   http  ${"web".padEnd(44)}     12 ms`,
    );
  });

  it("has the microseconds of a ping", () => {
    const outcome = passed("icmp");
    if (outcome.kind !== "icmp") throw new Error("passed() gave another kind");
    const echoes = [{ roundTrip: nanos(81_400), errorBar: nanos(0), refusal: null }];
    const result = resultOf({ kind: "icmp", latency: millis(0), outcome: { ...outcome, echoes } });
    expect(plainLine(result, { ...watched, kind: "icmp" })).toMatch(/ icmp  web +0\.081 ms$/);
  });

  it("says why a check failed", () => {
    expect(plainLine(failed, watched)).toMatch(
      / error .*12 ms {2}connection refused \(10\.0\.0\.1:443\)$/,
    );
  });

  it("shows control characters of names and messages instead of obeying them", () => {
    const hostile = resultOf({
      status: "error",
      failure: failure("protocol_error", "wait", "bad \x1b]0;title\x07"),
    });
    const line = plainLine(hostile, { ...watched, name: "a\r\x1b[2Jb" });
    expect(line).toContain("a\\x0d\\x1b[2Jb");
    expect(line).toContain("bad \\x1b]0;title\\x07");
  });
});

describe("the plain view", () => {
  it("begins with what runs, then writes one line a result", () => {
    const io = captureIo();
    using view = startPlainView({
      io,
      clock: new FakeClock(),
      monitors: [watched],
      title: "Picket runs",
    });
    view.result(resultOf({}));
    view.result(failed);
    const lines = io.written.stdout().split("\n");
    expect(lines[0]).toBe("Picket runs");
    expect(lines[1]).toContain("success");
    expect(lines[2]).toContain("connection refused");
    expect(lines).toHaveLength(4);
  });
});

describe("the table", () => {
  const row = (name: string, part: Partial<TableRow> = {}): TableRow => ({
    kind: "http",
    name,
    last: { status: "success", latency: millis(7), message: "" },
    latencies: [
      { latency: millis(1), status: "success" },
      { latency: millis(8), status: "error" },
    ],
    counts: { success: 1, degraded: 0, error: 1 },
    ...part,
  });
  const table = (rows: readonly TableRow[]) => ({
    title: "Picket",
    location: { status: "active", lastSeenAt: new Date(at - 3500).toISOString() },
    rows,
    now: at,
  });
  const plain = { columns: 120, rows: 24, colour: false };

  it("shows each monitor, the location and the totals", () => {
    const lines = tableLines(table([row("web")]), plain);
    expect(lines[1]).toBe("The service says of this location: active, last seen 3 s ago");
    expect(lines[4]).toContain("● success   http  web");
    expect(lines[4]).toContain("7 ms  ▂█");
    expect(lines.at(-1)).toBe("2 results: 1 success, 0 degraded, 1 error. Ctrl-C stops.");
  });

  it("says waiting of a monitor without a result, and that no agent was seen", () => {
    const waiting = row("new", { last: null, latencies: [] });
    const lines = tableLines(
      { ...table([waiting]), location: { status: "unknown", lastSeenAt: null } },
      plain,
    );
    expect(lines[1]).toContain("unknown, no agent was seen yet");
    expect(lines[4]).toContain("● waiting   http  new");
  });

  it.each([20, 40, 60, 80, 200])("is never wider than a terminal of %i columns", (columns) => {
    const wide = row("監".repeat(300), {
      last: { status: "error", latency: millis(1), message: "m".repeat(300) },
    });
    for (const line of tableLines(table([wide]), { columns, rows: 24, colour: false }))
      expect(columnsOf(line)).toBeLessThan(columns);
  });

  it("says in 80 columns why a check failed, for want of room without the sparkline", () => {
    const message = "connection refused (10.0.0.1:443)";
    const down = row("a name that is longer than the room", {
      last: { status: "error", latency: millis(1), message },
    });
    const narrow = tableLines(table([down]), { columns: 80, rows: 24, colour: false })[4];
    expect(narrow).toContain("1 ms  connection refused (10.0.0");
    const wide = tableLines(table([down]), { columns: 140, rows: 24, colour: false })[4];
    expect(wide).toMatch(/▂█ +connection refused \(10\.0\.0\.1:443\)$/);
  });

  it("is never higher than the terminal, and then shows the worst", () => {
    const rows = Array.from({ length: 50 }, (_, index) => row(`fine ${index}`));
    rows.push(row("broken", { last: { status: "error", latency: millis(1), message: "down" } }));
    const lines = tableLines(table(rows), { columns: 80, rows: 12, colour: false });
    expect(lines.length).toBeLessThan(12);
    expect(lines[4]).toContain("broken");
    expect(lines.join("\n")).toContain("… and 47 more");
  });

  it("has colours only if they are wanted", () => {
    expect(tableLines(table([row("web")]), plain).join("")).not.toContain("\x1b");
    expect(tableLines(table([row("web")]), { ...plain, colour: true })[4]).toContain(
      "\x1b[32m● success",
    );
  });
});

describe("the live view", () => {
  const options = (io: ReturnType<typeof captureIo>, clock: FakeClock) => ({
    io,
    clock,
    monitors: [watched],
    title: "Picket",
  });

  it("redraws in place and gives the cursor back when it closes", async () => {
    const io = captureIo({ NO_COLOR: "1" }, { columns: 100, rows: 24 });
    const clock = new FakeClock();
    const view = startLiveView(options(io, clock));
    view.result(resultOf({}));
    await clock.advance(1000);
    expect(io.written.stdout()).toContain("● waiting");
    expect(io.written.stdout()).toContain("\x1b[7A\r\x1b[J");
    expect(io.written.stdout()).toContain("● success");
    view[Symbol.dispose]();
    await clock.advance(1000);
    expect(io.written.stdout().startsWith("\x1b[?25l")).toBe(true);
    expect(io.written.stdout().endsWith("\x1b[?25h")).toBe(true);
    expect(clock.sleeping).toBe(0);
  });

  it("writes nothing while nothing changes", async () => {
    const io = captureIo({}, { columns: 100, rows: 24 });
    const clock = new FakeClock();
    const view = startLiveView(options(io, clock));
    await clock.advance(500);
    const before = io.written.stdout().length;
    await clock.advance(10_000);
    expect(io.written.stdout()).toHaveLength(before);
    view[Symbol.dispose]();
  });

  it("keeps a note above the table", () => {
    const io = captureIo({ NO_COLOR: "1" }, { columns: 100, rows: 24 });
    using view = startLiveView(options(io, new FakeClock()));
    view.note("the service is away\x1b");
    expect(io.written.stdout()).toContain("\x1b[Jthe service is away\\x1b\nPicket\n");
  });

  it("gives the cursor back at once when everything is aborted", () => {
    const io = captureIo({}, { columns: 100, rows: 24 });
    using view = startLiveView(options(io, new FakeClock()));
    io.giveUp.abort();
    view.location({ status: "error", lastSeenAt: null });
    expect(io.written.stdout().endsWith("\x1b[?25h")).toBe(true);
  });
});
