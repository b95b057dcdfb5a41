import path from "node:path";
import { readServiceProxy } from "#config/service-proxy";
import { accepts, type Setting, type SettingName, settings } from "#config/settings";
import { parseNoProxy } from "#network/no-proxy";

type Environment = Readonly<Record<string, string | undefined>>;

/** A setting as it holds, fit to be shown: nothing in it is secret. */
export interface EffectiveSetting {
  readonly name: SettingName;
  readonly value: string;
  /** `set`, `default`, `file`, `credential`, or the name of another program's variable that gave it. */
  readonly source: string;
}

/** Every setting in the order of the table, also where the environment is wrong. Empty variables count as not set. */
export function effectiveSettings(env: Environment): readonly EffectiveSetting[] {
  return Object.keys(settings)
    .filter((name): name is SettingName => name in settings)
    .map((name) => {
      const given = env[name] ?? "";
      if (given !== "") return { name, value: shownValue(name, given), source: "set" };
      return derived(name, env) ?? { name, value: fallbackOf(name), source: "default" };
    });
}

const fallbackOf = (name: SettingName): string => {
  const setting: Setting = settings[name];
  return setting.fallback ?? "";
};

/** What another variable gives to a setting that is not set. */
function derived(name: SettingName, env: Environment): EffectiveSetting | null {
  const credentials = env["CREDENTIALS_DIRECTORY"] ?? "";
  switch (name) {
    case "PICKET_TOKEN": {
      if ((env["PICKET_TOKEN_FILE"] ?? "") !== "") return { name, value: hidden, source: "file" };
      return credentials === "" ? null : { name, value: hidden, source: "credential" };
    }
    case "PICKET_TOKEN_FILE":
      if (credentials === "" || (env["PICKET_TOKEN"] ?? "") !== "") return null;
      return { name, value: path.join(credentials, "token"), source: "credential" };
    case "PICKET_STATE_DIR": {
      const given = env["STATE_DIRECTORY"]?.split(":").find((one) => one !== "");
      return given === undefined
        ? { name, value: "/var/lib/picket", source: "default" }
        : { name, value: given, source: "STATE_DIRECTORY" };
    }
    case "PICKET_SERVICE_PROXY":
      return standardProxy(env);
    default:
      return null;
  }
}

function standardProxy(env: Environment): EffectiveSetting | null {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const url = set["SERVICE_API_URL"] ?? fallbackOf("SERVICE_API_URL");
  const exceptions = parseNoProxy(set["PICKET_NO_PROXY"] ?? "");
  if (!accepts.url(url) || !exceptions.ok) return null;
  const { proxy } = readServiceProxy(set, url, exceptions.value);
  if (proxy === null) return null;
  const name = "PICKET_SERVICE_PROXY";
  const source = ["https_proxy", "HTTPS_PROXY", "http_proxy"].find((one) => set[one] !== undefined);
  return { name, value: withoutSecrets(proxy.reveal()), source: source ?? "set" };
}

const hidden = "[secret]";

function shownValue(name: SettingName, value: string): string {
  const { kind, secret }: Setting = settings[name];
  if (kind === "url" || kind === "proxy") return withoutSecrets(value);
  return secret === true ? hidden : value;
}

/** User-info and query of a URL may be secrets; what is no URL may be one that was cut in the wrong place. */
function withoutSecrets(text: string): string {
  const url = URL.parse(text);
  if (url === null || url.host === "") return hidden;
  const userInfo = url.username === "" && url.password === "" ? "" : `${hidden}@`;
  const query = url.search === "" ? "" : `?${hidden}`;
  return `${url.protocol}//${userInfo}${url.host}${url.pathname === "/" ? "" : url.pathname}${query}`;
}
