import * as limits from "#limits/spool-limits";
import type { Report } from "#wire/report";
import { rowBytes } from "#agent/spool/row-bytes";
import type { DropReason, SpoolLimits } from "#agent/spool/spool";
import type { SpoolTally } from "#agent/spool/spool-tally";
import { between, type EpochMillis } from "#base/units";

/** Reports in memory: in the order in which they came, and each monitor's in the order of their slots. */
export class HeldReports {
  readonly #all = new Map<string, Report>();
  readonly #byMonitor = new Map<string, Report[]>();

  get size(): number {
    return this.#all.size;
  }

  /** Those that came first, first. */
  get reports(): readonly Report[] {
    return this.#all.values().toArray();
  }

  get first(): Report | null {
    return this.#all.values().next().value ?? null;
  }

  /** False if a report of that id is held already. */
  add(report: Report): boolean {
    if (this.#all.has(report.id)) return false;
    this.#all.set(report.id, report);
    const others = this.#byMonitor.getOrInsertComputed(report.monitorId, () => []);
    // Nearly always the end: slots go back only if the clock was set back.
    const before = others.findLastIndex(({ slot }) => slot <= report.slot);
    others.splice(before + 1, 0, report);
    return true;
  }

  /** The report that was held by that id, if any. */
  remove(id: string): Report | null {
    const report = this.#all.get(id);
    if (report === undefined) return null;
    this.#all.delete(id);
    const others = this.#byMonitor.get(report.monitorId) ?? [];
    others.splice(others.indexOf(report), 1);
    if (others.length === 0) this.#byMonitor.delete(report.monitorId);
    return report;
  }

  clear(): void {
    this.#all.clear();
    this.#byMonitor.clear();
  }

  countOf(monitorId: string): number {
    return this.#byMonitor.get(monitorId)?.length ?? 0;
  }

  oldestOf(monitorId: string, max: number): readonly Report[] {
    return this.#byMonitor.get(monitorId)?.slice(0, max) ?? [];
  }

  /** Drops what is too old, and from the front what is more than memory may hold. */
  shed({ bytesMax, ageMax }: SpoolLimits, now: EpochMillis, tally: SpoolTally): void {
    const roomMax = Math.min(bytesMax, limits.memorySpoolBytesMax);
    let total = 0;
    for (const report of this.#all.values()) total += weightOf(report);
    const giveUp = (reason: DropReason, goes: (report: Report) => boolean): void => {
      for (const report of this.#all.values()) {
        if (!goes(report)) return;
        this.remove(report.id);
        tally.gaveUp(reason, report.monitorId);
        total -= weightOf(report);
      }
    };
    giveUp("age", ({ slot }) => between(slot, now) > ageMax);
    giveUp("room", () => this.size > limits.memorySpoolResultsMax || total > roomMax);
  }
}

const weightOf = ({ payload }: Report): number => rowBytes(payload.byteLength);
