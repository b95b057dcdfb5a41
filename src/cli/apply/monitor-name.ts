import type { Kind } from "#check/monitor";

/** A monitor that something of the files refers to: one of them, or by `id:7` one of the service. */
export interface MonitorName {
  /** Empty if only its id is known. */
  readonly kind: Kind | "";
  readonly name: string;
}

/** Whether a reference means an object of the service, whatever it is called. */
export const isId = (name: string): boolean => /^id:\d+$/.test(name);

/** Those that are meant by their ids. */
export const namedByIds = (names: readonly string[]): readonly MonitorName[] =>
  names.filter(isId).map((name) => ({ kind: "", name }));
