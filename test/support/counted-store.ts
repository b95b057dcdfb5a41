import type { openStore } from "#service/store/open-store";
import { openStoreHere } from "./open-store-here.ts";

/** Opens stores, and keeps their calls by name, e.g. `of` of the agents of a location as "instances.of". */
export class CountedStore {
  readonly #calls = new Map<string, (readonly unknown[])[]>();

  readonly open: typeof openStore = async (place) => this.#counted(await openStoreHere(place), "");

  count(call: string): number {
    return this.calls(call).length;
  }

  /** How often each call was made until now, in the order of their first ones. */
  counts(): ReadonlyMap<string, number> {
    return new Map([...this.#calls].map(([call, { length }]) => [call, length]));
  }

  /** The arguments of each. */
  calls(call: string): readonly (readonly unknown[])[] {
    return this.#calls.get(call) ?? [];
  }

  #counted<T extends object>(part: T, partName: string): T {
    return new Proxy(part, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value === "object" && value !== null) return this.#counted(value, String(name));
        if (typeof value !== "function") return value;
        return (...args: readonly unknown[]): unknown => {
          this.#calls.getOrInsert(`${partName}.${String(name)}`, []).push(args);
          return Reflect.apply(value, target, args);
        };
      },
    });
  }
}
