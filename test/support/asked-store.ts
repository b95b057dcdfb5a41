import type { openStore } from "#service/store/open-store";

/** Opens stores, and knows which of their calls are not answered yet. */
export class AskedStore {
  readonly #waiting = new Set<Promise<unknown>>();
  readonly #opens: typeof openStore;

  constructor(opens: typeof openStore) {
    this.#opens = opens;
  }

  readonly open: typeof openStore = async (place) => this.#watched(await this.#opens(place));

  get isAnswered(): boolean {
    return this.#waiting.size === 0;
  }

  /** Once those that wait now have their answer, or their fault. */
  async answered(): Promise<void> {
    await Promise.allSettled(this.#waiting);
  }

  #watched<T extends object>(part: T): T {
    return new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === "object" && value !== null) return this.#watched(value);
        if (typeof value !== "function") return value;
        return (...args: readonly unknown[]): unknown =>
          this.#kept(Reflect.apply(value, target, args));
      },
    });
  }

  #kept(answer: unknown): unknown {
    if (!(answer instanceof Promise)) return answer;
    this.#waiting.add(answer);
    const forget = (): void => void this.#waiting.delete(answer);
    answer.then(forget, forget);
    return answer;
  }
}
