import { envSchema } from "env-schema";
import { accepts, expectations, listOf } from "#config/setting-kinds";
import { type Setting, type SettingName, settings } from "#config/agent-settings";
import type { Environment } from "#config/environment";
import type { ParseResult } from "#network/parsed";
import { parseTargetRules } from "#network/target-rules";

export type Values = Readonly<Record<SettingName, string>>;

/** The settings of an environment as texts, and which of them cannot be used. */
export interface ValuesReading {
  /** As given, otherwise the default. The parsers take only what is not `wrong`. */
  readonly values: Values;
  /** A sentence without its subject for each setting that cannot be used; no value that could be secret is in it. */
  readonly wrong: ReadonlyMap<SettingName, string>;
}

/** Looks at settings in an environment without empty variables, each by itself. */
export function readValues(
  env: Environment,
  names: readonly SettingName[] = settingNames,
): ValuesReading {
  const looked = Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
  return {
    values: Object.fromEntries(settingNames.map((name) => [name, valueOf(name, env)])) as Values,
    wrong: violations(looked),
  };
}

/** Compose files and unit files set variables to nothing when they mean to leave them out. */
export const withoutEmpty = (env: Environment): Environment =>
  Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ""),
  );

const isSettingName = (word: string): word is SettingName => word in settings;

/** In the order of the table. */
export const settingNames: readonly SettingName[] = Object.keys(settings).filter(isSettingName);

function valueOf(name: SettingName, env: Environment): string {
  const setting: Setting = settings[name];
  if (name === "PICKET_STATE_DIR") return stateDirectoryOf(env);
  return env[name] ?? setting.fallback ?? "";
}

/** Where an agent with this environment keeps its state. */
export const stateDirectoryOf = (env: Environment): string =>
  env["PICKET_STATE_DIR"] || (systemdState(env) ?? "/var/lib/picket");

/** systemd.exec(5): the directories of StateDirectory=, between colons. */
export const systemdState = ({ STATE_DIRECTORY: directories }: Environment): string | null =>
  directories?.split(":").find((one) => one !== "") ?? null;

/** The table as a JSON schema; each kind of value is a separate format. */
const schema = {
  type: "object",
  properties: Object.fromEntries(
    Object.entries(settings).map(([name, { kind }]) => [name, { type: "string", format: kind }]),
  ),
};

/**
 * The schema is ours and all values are texts, so the schema is not itself checked against one and nothing is coerced:
 * code for both would be made at each start, which takes longer than all the rest.
 */
const customOptions = {
  allErrors: true,
  formats: accepts,
  meta: false,
  validateSchema: false,
  keywords: [],
  coerceTypes: false,
};

/** As the package documents it; its types know `customOptions` as a function alone. */
const validate: (options: object) => unknown = envSchema;

function violations(env: Environment): ReadonlyMap<SettingName, string> {
  try {
    validate({ schema, data: { ...env }, env: false, ajv: { customOptions } });
    return new Map();
  } catch (error) {
    const found: unknown = Error.isError(error) && "errors" in error ? error.errors : null;
    if (!Array.isArray(found)) throw error;
    return new Map(found.map((violation) => sentenceOf(violation, env)));
  }
}

function sentenceOf(
  { instancePath }: { readonly instancePath: string },
  env: Environment,
): readonly [SettingName, string] {
  const name = instancePath.slice(1);
  if (!isSettingName(name))
    throw new TypeError(`the schema refuses "${name}", which is not a setting`);
  const { kind } = settings[name];
  const general = `must be ${expectations[kind]}`;
  if (kind !== "targets") return [name, general];
  // A list may be long, and none of it is secret: the message names the entry that is wrong.
  const rules = parseTargetRules(listOf(env[name] ?? ""), "");
  return [name, rules.ok ? general : rules.message];
}

/** What a parser makes of a value that is not `wrong`. */
export function taken<T>(parsed: ParseResult<T>): T {
  return must(parsed.ok ? parsed.value : null);
}

export function must<T>(value: T | null): T {
  if (value === null) throw new TypeError("the schema let a value pass that cannot be parsed");
  return value;
}

export function oneOf<T extends string>(all: readonly T[], value: string): T {
  return must(all.find((one) => one === value) ?? null);
}
