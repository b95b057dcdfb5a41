import type { Clock } from "#base/clock";
import { type EndSignal, Ending } from "#base/ending";
import * as limits from "#limits/probes-limits";
import { millisToNanos, nanos, type Nanos } from "#base/units";

/** How a thread had spent its time by an instant. */
export interface Sample {
  readonly at: Nanos;
  /** Time that the event loop slept. */
  readonly slept: Nanos;
  /** Time that the thread was ready to run and waited for a processor. */
  readonly queued: Nanos;
}

/**
 * Counts for how long a thread was paused. A process that is stopped or frozen while it sleeps looks as if it slept on.
 * So a beat is due again and again while checks run: a sleep that it did not end was none, and the loop may have been
 * deaf for all of it. A stop while the thread works is work to the loop, and no pause here: what the kernel leaves out of
 * time run and time queued may as well be a packet's interrupt, a page from a disk or the wait for another thread, and
 * those a target can cause.
 */
export class Pauses {
  readonly #clock: Clock;
  readonly #look: () => Nanos;
  readonly #queued: () => Nanos;
  /** What the thread had waited for a processor by the last beat: that was before the sleep that follows it. */
  #queuedByBeat = 0;
  #paused = 0;
  /** When a sleep ends at the latest; null while nothing is attended. */
  #beatDue: Nanos | null = null;
  #attending = 0;
  #ended = new Ending();
  readonly #attention: Disposable = { [Symbol.dispose]: () => this.#leave() };
  /** Beats that came late by far, while checks are under way: each later by more than those behind it. */
  #late: LateBeat[] = [];

  /** `look` reads the clock, and hands the samples around a sleep to `between`; `queued` is as that of a sample, now. */
  constructor(clock: Clock, look: () => Nanos, queued: () => Nanos) {
    this.#clock = clock;
    this.#look = look;
    this.#queued = queued;
  }

  get total(): Nanos {
    return nanos(this.#paused);
  }

  /**
   * The longest time at a stretch, since an instant, in which the thread came to nothing new: it was stopped, had no
   * processor, or worked. It read and sent nothing meanwhile.
   */
  absentSince(from: Nanos): Nanos {
    const at = this.#clock.monotonic();
    const overdue = this.#beatDue === null ? 0 : at - Math.max(from, this.#beatDue);
    let longest = Math.max(0, overdue);
    for (const late of this.#late) longest = Math.max(longest, Math.min(late.by, late.at - from));
    return nanos(longest);
  }

  /** Adds the sleep between two samples where it lasted longer than beat and processor explain. */
  between(from: Sample, to: Sample): void {
    if (this.#beatDue === null) return;
    const slept = to.slept - from.slept;
    const untilBeat = Math.max(0, this.#beatDue - from.at);
    // A sample is of the beginning of its turn, and a busy machine makes a turn wait for longer than any pause.
    const queued = Math.max(0, to.queued - Math.max(from.queued, this.#queuedByBeat));
    if (slept - untilBeat - queued > limits.pauseMin) this.#paused += slept;
  }

  /** Beats until what it gives is disposed. */
  attend(): Disposable {
    this.#attending += 1;
    if (this.#attending === 1) void this.#beat((this.#ended = new Ending()));
    return this.#attention;
  }

  async #beat(signal: EndSignal): Promise<void> {
    while (!signal.aborted) {
      this.#beatDue = nanos(this.#look() + millisToNanos(limits.pauseBeatEvery));
      this.#queuedByBeat = this.#queued();
      await this.#clock.sleep(limits.pauseBeatEvery, signal);
      this.#noteLateness();
    }
  }

  /** Of two beats, the earlier says nothing more if it was not later than the other. */
  #noteLateness(): void {
    const due = this.#beatDue;
    // Nothing is attended any more: no beat was due.
    if (due === null) return;
    const at = this.#clock.monotonic();
    const by = nanos(at - due);
    if (by < limits.absenceMin) return;
    while ((this.#late.at(-1)?.by ?? Infinity) <= by) this.#late.pop();
    this.#late.push({ at, by });
  }

  #leave(): void {
    this.#attending -= 1;
    if (this.#attending > 0) return;
    // A pause of the last moment still counts.
    this.#look();
    this.#beatDue = null;
    this.#late = [];
    this.#ended.abort();
  }
}

/** When a beat came, and how late that was. */
interface LateBeat {
  readonly at: Nanos;
  readonly by: Nanos;
}
