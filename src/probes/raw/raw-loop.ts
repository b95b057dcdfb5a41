import type { Clock } from "#base/clock";
import * as limits from "#limits/probes-limits";
import type { LoopTimes, Mark } from "#probes/socket/marker";
import type { Stamp } from "#probes/raw/arena";
import type { DescriptorList } from "#probes/raw/descriptor-list";
import type { KernelCalls } from "#probes/raw/kernel-calls";
import { WallStamps } from "#probes/raw/wall-stamps";
import { WakeDelays } from "#probes/raw/wake-delays";
import { type Watcher, Watchers } from "#probes/raw/watchers";
import { nanos, type Nanos } from "#base/units";

/** A change of a descriptor, as a look found it. */
interface FoundChange {
  readonly id: number;
  readonly events: number;
  /** It had not happened before this. */
  readonly since: Nanos;
  /** It had happened by then. */
  readonly until: Nanos;
  /** When the thread was ready to run after the sleep that it ended; null if a look without a sleep found it. */
  readonly ready: Nanos | null;
}

/** Names the runtime's own set among what is watched. */
const runtimeId = 0;
/** What returns sooner may have found its change already there. */
const sleepMin = nanos(20_000);

/**
 * Waits for raw sockets and for the runtime's events in one thread, the two loops turned inside out: while a raw socket
 * is open, the thread sleeps here, over its own descriptors and over what the runtime's loop waits on, and gives that
 * loop one turn after each sleep. So the runtime's sockets, timers and messages work as always, no callback comes from
 * C, and a thread can be ended while its sockets are open. Without raw sockets the runtime sleeps by itself.
 *
 *     the runtime's turn ──▶ ours: sleep over both ──▶ our changes ──▶ the runtime's turn ──▶ …
 */
export class RawLoop {
  readonly calls: KernelCalls;
  readonly #stamps: WallStamps;
  readonly #clock: Clock;
  readonly #times: LoopTimes;
  readonly #list: DescriptorList;
  readonly #set: number;
  readonly #keeper: number;
  readonly #watchers = new Watchers();
  /** What there is to do in the next turn, whatever the kernel reports. */
  #soon: (() => void)[] = [];
  #state: "still" | "turning" = "still";
  /** The turn that is about to come; null within one, and while there is none. */
  #next: NodeJS.Immediate | null = null;
  /** How long the thread slept here, and how long in the runtime's loop until this one began to turn. */
  #slept = 0;
  #runtimeSlept: Nanos;
  #unplaced = 0;
  #queued: Nanos;
  /** When the last sleep or look ended. */
  #awake: Nanos;
  /** Until when there was nothing of what the last look found; and whether it may not have found all. */
  #lookedAt: Nanos;
  #isBehind = false;
  /** What looks within a turn found: its turn is the next. */
  #found: FoundChange[] = [];
  /** Of the change that is reported: between which instants it happened, and when the thread was ready that it woke. */
  #heardSince: Nanos;
  #heardUntil: Nanos;
  #ready: Nanos | null = null;
  readonly #wakes = new WakeDelays();

  constructor(calls: KernelCalls, clock: Clock, times: LoopTimes, list: DescriptorList) {
    this.calls = calls;
    this.#stamps = new WallStamps(clock, calls);
    this.#clock = clock;
    this.#times = times;
    this.#list = list;
    this.#queued = times.queued();
    this.#runtimeSlept = times.slept();
    this.#awake = this.#lookedAt = this.#heardSince = this.#heardUntil = clock.monotonic();
    this.#set = this.#opened(calls.waitingSet());
    if (calls.watchRuntime(this.#set, runtimeId) < 0)
      throw new Error("the runtime's own loop cannot be waited for");
    // The kernel begins to stamp a moment after the first socket asks for it, and ends with the last one that did.
    this.#keeper = this.#opened(calls.socket("127.0.0.1", "datagram"));
  }

  /** Nothing is waited for any more; sockets that are open stay open. */
  end(): void {
    this.#watchers.clear();
    this.#restIfIdle();
    this.close(this.#keeper);
    this.close(this.#set);
  }

  /** How long the thread slept so far, in either loop: while this one turns, the runtime's does not sleep. */
  slept(): Nanos {
    if (this.#state === "still") this.#runtimeSlept = this.#times.slept();
    return nanos(this.#runtimeSlept + this.#slept);
  }

  /** How long it had waited for a processor when it last woke. */
  queued(): Nanos {
    if (this.#state === "still") this.#queued = this.#times.queued();
    return this.#queued;
  }

  /** The change that is reported had not happened before this instant. */
  get heardSince(): Nanos {
    return this.#heardSince;
  }

  /** It had happened by this instant. */
  get heardUntil(): Nanos {
    return this.#heardUntil;
  }

  /** When it happened, as nearly as that is known without a stamp: a sleep ends soon after what ends it. */
  get heardAt(): Nanos {
    return this.#ready === null ? this.#heardUntil : nanos(this.#ready - this.#wakes.usual);
  }

  /** The change that is reported came alone, and at this instant: so it is known how long the wake-up took. */
  cameAlone(at: Nanos): void {
    if (this.#ready === null) return;
    this.#wakes.took(nanos(this.#ready - at));
  }

  now(): Nanos {
    return this.#clock.monotonic();
  }

  /** Where a stamp lies on the monotonic clock; null if there is none, or it cannot be right. */
  placed(stamp: Stamp | null, notBefore: Nanos): Mark | null {
    const mark = stamp === null ? null : this.#stamps.place(stamp, notBefore);
    if (mark === null) this.#unplaced += 1;
    return mark;
  }

  /** How many stamps were missed so far. */
  get unplaced(): number {
    return this.#unplaced;
  }

  /** A socket to an address, or the error's number, negated. It is closed by `close`. */
  open(address: string, type: "stream" | "datagram"): number {
    if (this.#list.isFull) return noDescriptor;
    const descriptor = this.calls.socket(address, type);
    if (descriptor >= 0) this.#list.add(descriptor);
    return descriptor;
  }

  /** A socket for echoes to an address, or the error's number, negated. */
  openEcho(address: string, type: "datagram" | "raw"): number {
    if (this.#list.isFull) return noDescriptor;
    const descriptor = this.calls.echoSocket(address, type);
    if (descriptor >= 0) this.#list.add(descriptor);
    return descriptor;
  }

  close(descriptor: number): void {
    this.#list.delete(descriptor);
    this.calls.close(descriptor);
  }

  /** Gets what happens to a descriptor from now on. Gives the number to end that with, or an error's. */
  watch(descriptor: number, watcher: Watcher): number {
    const id = this.#watchers.add(watcher);
    const watched = this.calls.watch(this.#set, descriptor, id);
    if (watched < 0) {
      this.#watchers.delete(id);
      return watched;
    }
    this.#turnOn();
    return id;
  }

  /** Nothing more is reported, not even what is known already. Closing the descriptor ends the kernel's part. */
  unwatch(id: number): void {
    this.#watchers.delete(id);
    this.#restIfIdle();
  }

  /** Has the kernel forget a descriptor that stays open, for another to own. */
  release(id: number, descriptor: number): void {
    this.unwatch(id);
    this.calls.unwatch(this.#set, descriptor);
    this.#list.delete(descriptor);
  }

  /** Does this in the next turn, after others had theirs. */
  soon(task: () => void): void {
    this.#soon.push(task);
    this.#turnOn();
  }

  #opened(descriptor: number): number {
    if (descriptor < 0) throw new Error("no descriptor for raw sockets");
    this.#list.add(descriptor);
    return descriptor;
  }

  #turnOn(): void {
    if (this.#state === "turning") return;
    this.#runtimeSlept = this.#times.slept();
    this.#state = "turning";
    this.#next = setImmediate(this.#turn);
  }

  /** What ends in the microtasks of a turn leaves nothing to wait for: the runtime then sleeps without another turn. */
  #restIfIdle(): void {
    if (this.#next === null || !this.#isIdle()) return;
    clearImmediate(this.#next);
    this.#next = null;
    this.#state = "still";
  }

  #isIdle(): boolean {
    return this.#watchers.size === 0 && this.#soon.length === 0;
  }

  readonly #turn = (): void => {
    this.#next = null;
    try {
      const tasks = this.#soon;
      this.#soon = [];
      const isDue = tasks.length > 0 || this.#found.length > 0;
      this.#sleep(isDue ? 0 : this.#sleepMillis());
      const changes = this.#found;
      this.#found = [];
      for (const change of changes) this.#report(change);
      for (const task of tasks) {
        task();
        this.#lookIfLong();
      }
    } finally {
      if (this.#isIdle()) this.#state = "still";
      else this.#next = setImmediate(this.#turn);
    }
  };

  /** In an immediate the runtime would not sleep at all, unless one is pending that it does not wait for. */
  #sleepMillis(): number {
    const pending = setImmediate(nothing).unref();
    const runtime = this.calls.runtimeTimeout();
    clearImmediate(pending);
    return runtime < 0 ? limits.rawSleepMax : Math.min(runtime, limits.rawSleepMax);
  }

  /** What it finds is reported in the next turn, or in the one that sleeps. */
  #sleep(timeout: number): void {
    const before = this.#clock.monotonic();
    const count = this.calls.wait(this.#set, timeout);
    const after = this.#clock.monotonic();
    const asleep = after - before;
    // More changes than are reported at once may have been there before.
    let emptyUntil = this.#isBehind ? this.#lookedAt : this.#awake;
    let ready: Nanos | null = null;
    this.#isBehind = count === limits.rawChangesMax;
    this.#awake = after;
    if (timeout > 0 && asleep >= sleepMin) {
      this.#slept += asleep;
      const queued = this.#times.queued();
      ready = nanos(after - Math.max(0, queued - this.#queued));
      emptyUntil = nanos(Math.max(before, ready));
      this.#queued = queued;
    }
    this.#lookedAt = emptyUntil;
    // A packet is stamped before its socket has it, and before a processor wakes for it.
    const since = nanos(emptyUntil - this.#wakes.longest);
    // All are read before the first is reported: whoever gets one may wait again.
    for (let index = 0; index < count; index += 1) {
      const { id, events } = this.calls.changeOf(index);
      if (id !== runtimeId) this.#found.push({ id, events, since, until: after, ready });
    }
  }

  #report({ id, events, since, until, ready }: FoundChange): void {
    const watcher = this.#watchers.get(id);
    if (watcher === null) return;
    this.#lookIfLong();
    this.#heardSince = since;
    this.#heardUntil = until;
    this.#ready = ready;
    watcher(events);
    this.#ready = null;
    this.#lookIfLong();
  }

  /** What comes while a thread works is found soon, so that it is known well when it came. */
  #lookIfLong(): void {
    if (this.#clock.monotonic() - this.#awake < limits.rawLookAfter) return;
    this.#sleep(0);
  }
}

const nothing = (): void => {};

/** EMFILE: there are as many as the list holds. */
const noDescriptor = -24;
