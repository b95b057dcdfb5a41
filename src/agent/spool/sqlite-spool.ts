import type { Clock } from "#base/clock";
import * as limits from "#limits/spool-limits";
import type { Logger } from "#base/log";
import { HeldReports } from "#agent/spool/held-reports";
import { messageOf, type Report } from "#wire/report";
import { removeDatabase, setAside } from "#agent/spool/set-aside";
import type { DropReason, Spool, SpoolLimits } from "#agent/spool/spool";
import { type Departure, SpoolFile, type StoredReport } from "#agent/spool/spool-file";
import { faultOf, type SpoolFault, type SpoolTrouble } from "#agent/spool/spool-fault";
import { SpoolTally } from "#agent/spool/spool-tally";
import { between, type EpochMillis, millisToNanos, nanos, type Nanos } from "#base/units";

interface SqliteSpoolOptions {
  readonly file: string;
  readonly limits: SpoolLimits;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * A spool that outlives the process. Reports are held in memory until the next save writes them in one transaction; one
 * that the service took before never touches the disk. While the file cannot be used it continues in memory, says so
 * once, and tries the file again.
 */
export class SqliteSpool implements Spool {
  readonly #options: SqliteSpoolOptions;
  readonly #held = new HeldReports();
  readonly #tally = new SpoolTally();
  /** Rows that are done with and go with the next save. */
  readonly #settled = new Set<number>();
  #file: SpoolFile | null = null;
  #trouble: SpoolTrouble | null = null;
  #tryAgainAt: Nanos = nanos(0);

  constructor(options: SqliteSpoolOptions) {
    this.#options = options;
    this.save();
  }

  get waiting(): ReadonlyMap<string, number> {
    return this.#tally.waiting;
  }

  get size(): number {
    return this.#tally.size;
  }

  get givenUp(): Readonly<Record<DropReason, number>> {
    return this.#tally.givenUp;
  }

  get durable(): boolean {
    return this.#file !== null && this.#trouble === null;
  }

  get oldestSlot(): EpochMillis | null {
    const stored = this.#reading((file) => file.firstSlot(this.#settled), null);
    return stored ?? this.#held.first?.slot ?? null;
  }

  add(report: Report): void {
    if (this.#held.add(report)) this.#tally.came(report.monitorId);
  }

  oldestOf(monitorId: string, max: number): readonly Report[] {
    const held = this.#held.oldestOf(monitorId, max);
    // Most of the time a monitor has nothing in the file.
    if (this.#held.countOf(monitorId) === this.waiting.get(monitorId)) return held;
    const rows = this.#reading((file) => file.oldestOf(monitorId, max, this.#settled), []);
    const stored = rows.flatMap((row) => this.#decoded(row, monitorId));
    return [...stored, ...held].toSorted((a, b) => a.slot - b.slot).slice(0, max);
  }

  settle(ids: readonly string[]): void {
    for (const id of ids) {
      const held = this.#held.remove(id);
      if (held === null) this.#settleStored(id);
      else this.#tally.left(held.monitorId);
    }
    if (this.#settled.size > limits.spoolSettledMax && this.durable) this.save();
  }

  save(): void {
    if (this.#trouble === null || this.#options.clock.monotonic() >= this.#tryAgainAt)
      this.#write();
    if (!this.durable)
      this.#held.shed(this.#options.limits, this.#options.clock.wall(), this.#tally);
  }

  [Symbol.dispose](): void {
    // There is no later try to wait for.
    this.#tryAgainAt = nanos(0);
    this.save();
    this.#attempt(() => this.#file?.[Symbol.dispose]());
    this.#file = null;
  }

  /** A row that no longer decodes is dropped: what it said cannot be known. */
  #decoded({ sequence, id, slot, payload }: StoredReport, monitorId: string): readonly Report[] {
    if (messageOf(payload) !== null) return [{ id, monitorId, slot, payload }];
    this.#settled.add(sequence);
    this.#tally.gaveUp("unreadable", monitorId);
    const { log, file } = this.#options;
    log.error("a kept result was damaged and is dropped: check the disk", {
      file,
      monitor: monitorId,
    });
    return [];
  }

  #settleStored(id: string): void {
    const found = this.#reading((file) => file.find(id), null);
    if (found === null || this.#settled.has(found.sequence)) return;
    this.#settled.add(found.sequence);
    this.#tally.left(found.monitorId);
  }

  #write(): void {
    this.#attempt(() => {
      const file = (this.#file ??= this.#opened());
      if (this.#idle(file)) return this.#works();
      const now = this.#options.clock.wall();
      try {
        this.#wrote(file.write({ settled: this.#settled, fresh: this.#held.reports, now }));
        this.#held.clear();
      } catch (error) {
        if (faultOf(error).trouble === "full") this.#makeRoom(file, now);
        throw error;
      }
      this.#works();
      file.shrink();
    });
  }

  /** On a full disk. Deleting may fail there as well, because the journal has to grow for it. */
  #makeRoom(file: SpoolFile, now: EpochMillis): void {
    if (this.size > this.#held.size)
      return this.#wrote(file.write({ settled: this.#settled, fresh: [], now }));
    // Whatever it holds is done with, so that a new file does as well.
    this.#file = null;
    this.#settled.clear();
    file[Symbol.dispose]();
    removeDatabase(this.#options.file);
  }

  #wrote(departures: readonly Departure[]): void {
    this.#settled.clear();
    for (const { reason, monitorId, count } of departures)
      if (reason === null) this.#tally.left(monitorId, count);
      else this.#tally.gaveUp(reason, monitorId, count);
  }

  /** Whether a save would change nothing: then the disk is left in peace. */
  #idle(file: SpoolFile): boolean {
    if (this.#held.size > 0 || this.#settled.size > 0) return false;
    if (this.size === 0) return true;
    const first = file.firstSlot(this.#settled);
    const { clock, limits: spoolLimits } = this.#options;
    return first === null || between(first, clock.wall()) <= spoolLimits.ageMax;
  }

  /** The file, with what it holds counted; one that is not a spool of ours is set aside for a new one. */
  #opened(): SpoolFile {
    const opened = this.#openedOrNew();
    try {
      for (const [monitorId, count] of opened.counts()) this.#tally.came(monitorId, count);
      return opened;
    } catch (error) {
      // Or its own lock would keep us out forever.
      opened[Symbol.dispose]();
      throw error;
    }
  }

  #openedOrNew(): SpoolFile {
    const { file, limits: spoolLimits } = this.#options;
    try {
      return SpoolFile.open(file, spoolLimits);
    } catch (error) {
      const fault = faultOf(error);
      if (!isUnusable(fault.trouble)) throw fault;
      this.#setAside(fault);
      return SpoolFile.open(file, spoolLimits);
    }
  }

  #setAside(fault: SpoolFault): void {
    const { file, clock, log } = this.#options;
    try {
      const aside = setAside(file, clock.wall());
      log.error(`the spool is set aside, and a new one is started: ${fault.message}`, {
        file,
        "set aside as": aside,
        "error.message": fault.detail,
      });
    } catch {
      throw fault;
    }
  }

  /** What the file says; `otherwise` where it cannot be read. */
  #reading<T>(read: (file: SpoolFile) => T, otherwise: T): T {
    let result = otherwise;
    this.#attempt(() => {
      if (this.#file !== null) result = read(this.#file);
    });
    return result;
  }

  #attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#fails(faultOf(error));
    }
  }

  #works(): void {
    if (this.#trouble === null) return;
    this.#trouble = null;
    const { log, file } = this.#options;
    log.info("results are kept on disk again", { file, results: this.size });
  }

  #fails(fault: SpoolFault): void {
    const { clock, log, file } = this.#options;
    this.#tryAgainAt = nanos(clock.monotonic() + millisToNanos(limits.spoolRetryPause));
    if (this.#trouble !== fault.trouble)
      log.error(`results are kept in memory only, for now: ${fault.message}`, {
        file,
        "error.message": fault.detail,
      });
    this.#trouble = fault.trouble;
    if (this.#file !== null && isUnusable(fault.trouble)) this.#abandonFile(this.#file);
  }

  /** The file broke under our hands: what it held and memory does not is lost to us, and the next save starts again. */
  #abandonFile(file: SpoolFile): void {
    this.#file = null;
    this.#tryAgainAt = nanos(0);
    this.#settled.clear();
    for (const [monitorId, count] of this.waiting) {
      const stored = count - this.#held.countOf(monitorId);
      if (stored > 0) this.#tally.gaveUp("unreadable", monitorId, stored);
    }
    this.#attempt(() => file[Symbol.dispose]());
  }
}

/** Troubles that do not pass with time: the file is no spool of ours, or is one no more. */
const isUnusable = (trouble: SpoolTrouble): boolean =>
  trouble === "foreign" || trouble === "newer" || trouble === "corrupt";
