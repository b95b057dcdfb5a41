import type { Clock } from "#base/clock";
import type { Mark, Marker } from "#probes/socket/marker";
import { noPhases, type AttemptTimes, type PhaseName, type Phases } from "#check/outcome";
import { after, type EpochMillis, millis, nanos, type Nanos, nanosToMillis } from "#base/units";

/**
 * Divides an attempt into phases that touch but never overlap: entering one ends the one before it. A phase that is
 * entered twice (another redirect hop) adds to itself. Our own work between two packets is in no phase: the phases and
 * it sum to the total by construction.
 *
 *     query ── dns ── answer ── own ── SYN ── connect ── SYN-ACK ── own ── ClientHello ── tls ── …
 */
export class Stopwatch {
  readonly #marker: Marker;
  readonly #createdAt: EpochMillis;
  readonly #created: Nanos;
  readonly #parts: Part[] = [];
  readonly #ownWork: Span[] = [];
  #knowsOwnWork = false;
  /** The first part of the lap that runs. */
  #lapFrom = 0;
  /** Where the last lap ended; null before the first did. */
  #lapEnd: Nanos | null = null;
  /** Since when no peer is waited for; null while one is. */
  #idleSince: Nanos | null = null;
  /** Of the marks that only our own work makes count. */
  #cameErrorBar: Nanos = nanos(0);
  /** The first phase starts the measurement: what a probe prepares before it does not count. */
  #start: Nanos | null = null;
  #mark: Nanos;
  #running: PhaseName | null = null;
  #markErrorBar: Nanos = nanos(0);
  /** That of the last mark. */
  #shift: Mark["shift"];
  #errorBar: Nanos = nanos(0);
  #ownErrorBar: Nanos = nanos(0);
  readonly #pausedBefore: Nanos;
  #paused: Nanos = nanos(0);

  constructor(clock: Clock, marker: Marker) {
    this.#marker = marker;
    this.#createdAt = clock.wall();
    this.#created = clock.monotonic();
    this.#mark = this.#created;
    this.#pausedBefore = marker.paused();
  }

  /** Wall clock at the start of the first phase; durations never come from it. */
  get startedAt(): EpochMillis {
    return this.#wallAt(this.#start ?? this.#created);
  }

  /** The phase that runs now; after `stop`, null. */
  get running(): PhaseName | null {
    return this.#running;
  }

  /**
   * Ends the running phase and begins `phase`, at an instant that was marked when it happened. An instant before the
   * last mark counts as that mark: time does not run backwards. What lies between a lap and the next phase is our own
   * work; if that is not known, it belongs to that phase, so that nothing is left out of the sum.
   */
  enter(phase: PhaseName, mark: Mark = this.#marker.acted()): void {
    const { at } = mark;
    if (this.#start === null) {
      this.#start = at;
      this.#mark = at;
      this.#markErrorBar = mark.errorBar;
      this.#shift = mark.shift;
    }
    this.#endIdle(at);
    this.#widen(mark);
    this.#endRunning(at);
    this.#running = phase;
    this.#parts.push({ phase, from: this.#mark, to: this.#mark });
  }

  /** What the running phase waited for came: until the next one begins it is our own work, if that is known. */
  came({ at, errorBar }: Mark): void {
    this.#idleSince = nanos(Math.max(at, this.#mark));
    const sinceLast = this.#idleSince - this.#mark + this.#markErrorBar;
    this.#cameErrorBar = nanos(Math.max(this.#cameErrorBar, Math.min(errorBar, sinceLast)));
  }

  #endIdle(at: Nanos): void {
    if (this.#idleSince !== null && at > this.#idleSince)
      this.#ownWork.push({ from: this.#idleSince, to: at });
    this.#idleSince = null;
  }

  /**
   * From one instant of the wire to another it was not the peer who was waited for: that time is in no phase. Once the
   * request has left, the peer is: what we send meanwhile delays nothing.
   */
  ownWork(from: Nanos, to: Nanos): void {
    this.#knowsOwnWork = true;
    if (this.#running === "wait" || this.#running === "receive") return;
    const since = nanos(Math.max(from, this.#ownWork.at(-1)?.to ?? from, this.#lapEnd ?? from));
    if (to > since) this.#ownWork.push({ from: since, to });
  }

  /** Null if it is not known; it is then part of the phases. */
  get own(): Nanos | null {
    if (!this.#knowsOwnWork) return null;
    let sum = 0;
    for (const part of this.#parts) sum += this.#ownIn(part);
    return nanos(sum);
  }

  /** Ends the running phase and the whole measurement. Stopping twice changes nothing. */
  stop(mark?: Mark): void {
    if (this.#running === null) return;
    const end = mark ?? this.#marker.acted();
    this.#endIdle(end.at);
    this.#widen(end);
    this.#endRunning(end.at);
    this.#running = null;
  }

  /** How late any mark may have been made; no phase, and not their sum, is further than this from what the wire did. */
  get errorBar(): Nanos {
    const came = this.#knowsOwnWork ? this.#cameErrorBar : 0;
    return nanos(Math.max(this.#errorBar, came, Math.min(this.#paused, this.total)));
  }

  /** All of it, once it stands still. */
  get times(): AttemptTimes {
    return {
      startedAt: this.startedAt,
      phases: this.phases,
      total: this.total,
      own: this.own,
      errorBar: this.errorBar,
      ownErrorBar: this.#ownErrorBar,
    };
  }

  /** Causes come before effects: what ended this phase cannot have happened before the phase began. */
  #widen({ at, errorBar, shift }: Mark): void {
    const sinceLast = Math.max(0, at - this.#mark) + this.#markErrorBar;
    this.#markErrorBar = nanos(Math.min(errorBar, sinceLast));
    const alone = this.#markErrorBar - (shift?.errorBar ?? 0);
    this.#errorBar = nanos(Math.max(this.#errorBar, alone));
    this.#moveBy(shift, at);
    this.#paused = nanos(this.#marker.paused() - this.#pausedBefore);
  }

  /** A shift that only one of two marks has is in the time between them: in our own work, if that is next to the mark. */
  #moveBy(shift: Mark["shift"], at: Nanos): void {
    const before = this.#shift;
    if (before === shift) return;
    this.#shift = shift;
    if (before !== undefined) {
      const isOwn = this.#ownWork.some(({ from }) => from === this.#mark);
      this.#widenBy(before.errorBar, isOwn);
    }
    if (shift !== undefined) {
      const isOwn = this.#ownWork.some(({ to }) => to === at);
      this.#widenBy(shift.errorBar, isOwn);
    }
  }

  #widenBy(errorBar: Nanos, isOwn: boolean): void {
    if (isOwn) this.#ownErrorBar = nanos(Math.max(this.#ownErrorBar, errorBar));
    else this.#errorBar = nanos(Math.max(this.#errorBar, errorBar));
  }

  get phases(): Phases {
    return this.#phasesOf(this.#parts);
  }

  /** From the start of the first phase to the last mark. */
  get total(): Nanos {
    return nanos(this.#mark - (this.#start ?? this.#mark));
  }

  /**
   * One redirect hop's share of the whole: the phases since the last lap, and the wall clock where it began, by the
   * same clock as `startedAt`, so that no hop begins before the attempt does. Ends the running phase's part first.
   */
  lap(): { readonly startedAt: EpochMillis; readonly phases: Phases } {
    this.stop();
    const parts = this.#parts.slice(this.#lapFrom);
    const startedAt = this.#wallAt(this.#lapEnd ?? this.#start ?? this.#created);
    this.#lapFrom = this.#parts.length;
    this.#lapEnd = this.#idleSince = this.#mark;
    return { startedAt, phases: this.#phasesOf(parts) };
  }

  #wallAt(at: Nanos): EpochMillis {
    return after(this.#createdAt, millis(Math.round(nanosToMillis(nanos(at - this.#created)))));
  }

  #endRunning(at: Nanos): void {
    const last = this.#parts.at(-1);
    if (this.#running === null || last === undefined) return;
    this.#mark = nanos(Math.max(at, this.#mark));
    last.to = this.#mark;
  }

  #phasesOf(parts: readonly Part[]): Phases {
    const elapsed: PhaseDurations = { ...noPhases };
    for (const part of parts) {
      const theirs = part.to - part.from - this.#ownIn(part);
      elapsed[part.phase] = nanos((elapsed[part.phase] ?? 0) + theirs);
    }
    return elapsed;
  }

  #ownIn(part: Part): number {
    if (!this.#knowsOwnWork || part.phase === "wait" || part.phase === "receive") return 0;
    let sum = 0;
    for (const { from, to } of this.#ownWork)
      sum += Math.max(0, Math.min(part.to, to) - Math.max(part.from, from));
    return sum;
  }
}

type PhaseDurations = { [P in PhaseName]: Nanos | null };

interface Span {
  readonly from: Nanos;
  readonly to: Nanos;
}

interface Part {
  readonly phase: PhaseName;
  readonly from: Nanos;
  to: Nanos;
}
