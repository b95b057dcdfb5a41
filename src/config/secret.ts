import { inspect } from "node:util";

/** A value that shows itself only if it is asked for by name: printed, logged or serialised it is `[secret]`. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return "[secret]";
  }

  toJSON(): string {
    return "[secret]";
  }

  static {
    Object.defineProperty(Secret.prototype, inspect.custom, { value: () => "[secret]" });
  }
}

/**
 * The same plain values, some of them secret, which printed or serialised are `[secret]`. Threads get them whole: what
 * hides them is not copied.
 */
export function unshown<T extends object>(values: T): T {
  const value = (): string => "[secret]";
  return Object.defineProperties(values, { [inspect.custom]: { value }, toJSON: { value } });
}
