import type { Environment } from "#config/environment";
import { isThisMachine } from "#network/listen-address";

/** A Vault or OpenBao whose key-value entries (version 2) hold secrets of the location; empty texts are not set. */
export interface VaultSource {
  /** Without a slash at the end. */
  readonly url: string;
  readonly tokenFile: string;
  /** Of the Kubernetes login, which is used if no token file is named. */
  readonly role: string;
  readonly jwtFile: string;
  /** Where the login is mounted. */
  readonly loginPath: string;
  /** Entries as MOUNT/PATH: each of their fields is a secret. */
  readonly entries: readonly string[];
  readonly caFile: string;
}

/** Null if no Vault is named. */
export function vaultSourceOf(env: Environment): VaultSource | null {
  const url = env["PICKET_VAULT_ADDR"] ?? "";
  if (url === "") return null;
  return {
    url: url.replace(/\/+$/, ""),
    tokenFile: env["PICKET_VAULT_TOKEN_FILE"] ?? "",
    role: env["PICKET_VAULT_ROLE"] ?? "",
    jwtFile: env["PICKET_VAULT_JWT_FILE"] ?? "/var/run/secrets/kubernetes.io/serviceaccount/token",
    loginPath: env["PICKET_VAULT_LOGIN_PATH"] ?? "kubernetes",
    entries: (env["PICKET_VAULT_PATH"] ?? "")
      .split(",")
      .map((one) => one.trim().replaceAll(/^\/+|\/+$/g, ""))
      .filter((one) => one !== ""),
    caFile: env["PICKET_VAULT_CA_FILE"] ?? "",
  };
}

/** What is wrong with the settings themselves, a sentence each. */
export function vaultMistakes({ url, tokenFile, role, entries }: VaultSource): readonly string[] {
  return [
    ...addressMistakes(URL.parse(url)),
    ...(tokenFile === "" && role === ""
      ? ["PICKET_VAULT_ADDR needs PICKET_VAULT_TOKEN_FILE, or PICKET_VAULT_ROLE on Kubernetes"]
      : []),
    ...(entries.length === 0
      ? ["PICKET_VAULT_ADDR needs PICKET_VAULT_PATH, e.g. secret/picket"]
      : []),
    ...entries
      .filter((one) => !/^[\w.-]+(?:\/[\w.-]+)+$/.test(one) || one.split("/").includes(".."))
      .map((one) => `PICKET_VAULT_PATH: "${one}" is not MOUNT/PATH, e.g. secret/picket`),
  ];
}

/** The token goes to this address. */
function addressMistakes(url: URL | null): readonly string[] {
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && isThisMachine(url.hostname));
  if (url === null || !isSafe || url.search !== "" || url.hash !== "" || url.username !== "")
    return [
      "PICKET_VAULT_ADDR must be https://HOST[:PORT], or http:// for a Vault on this machine",
    ];
  return [];
}
