import { parseAllDocuments } from "yaml";

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const manifestsIn = (text: string): readonly unknown[] =>
  parseAllDocuments(text).map((document): unknown => document.toJS());

/** What stands under keys and indexes, as `at(document, "spec", "containers", 0)`; undefined if nothing does. */
export function at(value: unknown, ...keys: readonly (string | number)[]): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  if (Array.isArray(value) && typeof key === "number") return at(value[key], ...rest);
  return isRecord(value) ? at(value[key], ...rest) : undefined;
}

export function manifestOf(text: string, kind: string): unknown {
  const found = manifestsIn(text).find((one) => at(one, "kind") === kind);
  if (found === undefined) throw new Error(`there is no ${kind} in it`);
  return found;
}

/** Every variable that manifests set, by name: in containers, in ConfigMaps. */
export function variablesIn(text: string): readonly string[] {
  return manifestsIn(text).flatMap((one) => {
    const settings = at(one, "kind") === "ConfigMap" ? at(one, "data") : {};
    const env = at(one, "spec", "template", "spec", "containers", 0, "env");
    const names = Array.isArray(env) ? env.map((entry) => String(at(entry, "name"))) : [];
    return [...Object.keys(isRecord(settings) ? settings : {}), ...names];
  });
}
