/** Lets a few in at a time, in the order in which they came. */
class Turns {
  readonly #most: number;
  #inside = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Whether none is inside: then none waits, either. */
  get idle(): boolean {
    return this.#inside === 0;
  }

  async enter(): Promise<Disposable> {
    if (this.#inside < this.#most) this.#inside += 1;
    // Whoever leaves hands its place on.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return { [Symbol.dispose]: () => this.#leave() };
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#inside -= 1;
    else next();
  }
}

/** Turns of many callers: each has one turn at a time, so that none waits behind all the work of another. */
export class FairTurns<Caller> {
  readonly #all: Turns;
  readonly #callers = new Map<Caller, Turns>();

  constructor(most: number) {
    this.#all = new Turns(most);
  }

  async take<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
    const own = this.#callers.getOrInsertComputed(caller, () => new Turns(1));
    try {
      using turns = new DisposableStack();
      turns.use(await own.enter());
      turns.use(await this.#all.enter());
      return await work();
    } finally {
      if (own.idle) this.#callers.delete(caller);
    }
  }
}
