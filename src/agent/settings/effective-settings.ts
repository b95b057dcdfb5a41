import type { ServiceProxyReading } from "#config/service-proxy";
import { type Setting, type SettingName, settings } from "#config/agent-settings";
import { tokenPlace } from "#agent/settings/token";
import type { Environment } from "#config/environment";
import { settingNames, systemdState, type Values } from "#agent/settings/values";

/** A setting as it holds, fit to be shown: nothing in it is secret. */
export interface EffectiveSetting {
  readonly name: SettingName;
  readonly value: string;
  /** `set`, `default`, `file`, `credential`, or the name of another program's variable that gave it. */
  readonly source: string;
}

/** Every setting in the order of the table, as the configuration was read. */
export function effectiveSettings(
  set: Environment,
  values: Values,
  proxy: ServiceProxyReading,
): readonly EffectiveSetting[] {
  return settingNames.map((name) =>
    set[name] === undefined
      ? { name, value: values[name], source: "default", ...derived(name, set, proxy) }
      : { name, value: shownValue(name, values[name]), source: "set" },
  );
}

/** What another variable gives to a setting that is not set. */
function derived(
  name: SettingName,
  set: Environment,
  { proxy, source }: ServiceProxyReading,
): Omit<EffectiveSetting, "name"> | null {
  const place = tokenPlace(set);
  switch (name) {
    case "PICKET_TOKEN":
      return place.is === "nowhere" ? null : { value: hidden, source: place.is };
    case "PICKET_TOKEN_FILE":
      return place.is === "credential" ? { value: place.file, source: place.is } : null;
    case "PICKET_STATE_DIR": {
      const value = systemdState(set);
      return value === null ? null : { value, source: "STATE_DIRECTORY" };
    }
    case "PICKET_SERVICE_PROXY":
      return proxy === null || source === null
        ? null
        : { value: withoutSecrets(proxy.reveal()), source };
    default:
      return null;
  }
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
