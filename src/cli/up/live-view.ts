import { Screen } from "#cli/edge/screen";
import { type Table, tableLines, type TableRow } from "#cli/up/table";
import type { View, ViewOptions } from "#cli/up/up-view";
import * as limits from "#limits/cli-limits";
import { reasonsOf } from "#check/remark";
import type { Result } from "#check/result";
import { latencyToMicros } from "#check/shown-latency";
import { showText } from "#base/text";

/** A table of the monitors that redraws itself in place, below whatever the terminal showed before. */
export function startLiveView(options: ViewOptions): View {
  const screen = new Screen(options.io);
  const live = new LiveView(options, screen);
  void live.redrawUntilClosed();
  return live;
}

class LiveView implements View {
  readonly #options: ViewOptions;
  readonly #screen: Screen;
  readonly #rows = new Map<string, TableRow>();
  readonly #closing = new AbortController();
  #location: Table["location"] = { status: "unknown", lastSeenAt: null };

  constructor(options: ViewOptions, screen: Screen) {
    this.#options = options;
    this.#screen = screen;
    for (const { id, kind, name } of options.monitors)
      this.#rows.set(id, {
        kind,
        name: showText(name),
        last: null,
        latencies: [],
        counts: noCounts,
      });
  }

  result(result: Result): void {
    const row = this.#rows.get(result.monitorId);
    if (row === undefined) return;
    const point = { latency: latencyToMicros(result), status: result.status };
    this.#rows.set(result.monitorId, {
      ...row,
      last: {
        status: result.status,
        latency: latencyToMicros(result),
        message: showText(reasonsOf(result)),
      },
      latencies: [...row.latencies, point].slice(-limits.sparklineWidth),
      counts: { ...row.counts, [result.status]: row.counts[result.status] + 1 },
    });
  }

  location(seen: Table["location"]): void {
    this.#location = seen;
  }

  note(line: string): void {
    this.#screen.print(showText(line));
    this.#draw();
  }

  async redrawUntilClosed(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      this.#draw();
      await this.#options.clock.sleep(limits.viewRedrawEvery, signal);
    }
  }

  [Symbol.dispose](): void {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    this.#draw();
    this.#screen.close();
  }

  #draw(): void {
    const { clock, title } = this.#options;
    this.#screen.draw(
      tableLines(
        {
          title: showText(title),
          location: this.#location,
          rows: [...this.#rows.values()],
          now: clock.wall(),
        },
        this.#screen.size(),
      ),
    );
  }
}

const noCounts: TableRow["counts"] = { success: 0, degraded: 0, error: 0 };
