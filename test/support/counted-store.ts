import { openStore } from "#store/open-store";

/** Opens stores, and counts their calls by name, e.g. `of` of the agents of a location as "instances.of". */
export class CountedStore {
  readonly #counts = new Map<string, number>();

  readonly open: typeof openStore = async (place) => this.#counted(await openStore(place), "");

  count(call: string): number {
    return this.#counts.get(call) ?? 0;
  }

  #counted<T extends object>(part: T, partName: string): T {
    return new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === "object" && value !== null) return this.#counted(value, String(name));
        if (typeof value !== "function") return value;
        return (...args: readonly unknown[]): unknown => {
          const call = `${partName}.${String(name)}`;
          this.#counts.set(call, this.count(call) + 1);
          return Reflect.apply(value, target, args);
        };
      },
    });
  }
}
