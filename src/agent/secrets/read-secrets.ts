import { readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import { parseSecretHost, type SecretHost } from "#agent/secrets/secret-hosts";
import type { KnownSecret, SecretTable } from "#agent/secrets/secret-table";
import type { Environment } from "#config/environment";
import { vaultMistakes, type VaultSource, vaultSourceOf } from "#agent/secrets/vault-source";
import type { VaultValues } from "#agent/secrets/vault-values";
import { unshown } from "#config/secret";
import { secretPrefix } from "#config/secret-names";
import * as limits from "#limits/secrets-limits";
import { readBounded, whyUnusable } from "#machine/bounded-file";

/** Where secrets are read; an empty path is not set. */
export interface SecretSources {
  readonly directory: string;
  /** Of lines NAME=VALUE. */
  readonly file: string;
  /** Of lines NAME HOST…. */
  readonly hostsFile: string;
  /** From variables whose names begin with PICKET_SECRET_. */
  readonly written: readonly (readonly [name: string, value: string])[];
  /** Null if no Vault is named. */
  readonly vault: VaultSource | null;
}

export interface SecretsReading {
  readonly table: SecretTable;
  /** What could not be read at all, a sentence each. */
  readonly errors: readonly string[];
}

/** Of an environment without empty variables. */
export const sourcesOf = (env: Environment): SecretSources =>
  unshown({
    directory: env["PICKET_SECRETS_DIR"] ?? "",
    file: env["PICKET_SECRETS_FILE"] ?? "",
    hostsFile: env["PICKET_SECRETS_HOSTS_FILE"] ?? "",
    vault: vaultSourceOf(env),
    written: Object.entries(env).flatMap(([name, value]) =>
      name.startsWith(secretPrefix) && value !== undefined && value !== ""
        ? [[name.slice(secretPrefix.length), value] as const]
        : [],
    ),
  });

/** Whether there is any place where secrets could be: else texts of monitors are sent as they are. */
export const hasSources = ({ directory, file, written, vault }: SecretSources): boolean =>
  directory !== "" || file !== "" || written.length > 0 || vault !== null;

/** What was read elsewhere, and why it cannot be used now. */
type ReadElsewhere = Pick<VaultValues, "values" | "unusable">;

/** Reads all of them. A secret that cannot be used costs no other one. */
export function readSecrets(
  sources: SecretSources,
  elsewhere: ReadElsewhere | null = null,
): SecretsReading {
  const reader = new Reader();
  if (sources.hostsFile !== "") reader.readHosts(sources.hostsFile);
  for (const [name, value] of sources.written)
    reader.add(name, value, `the variable ${secretPrefix}${name}`);
  if (sources.file !== "") reader.readLines(sources.file);
  if (sources.directory !== "") reader.readDirectory(sources.directory);
  if (sources.vault !== null) reader.readVault(sources.vault, elsewhere);
  return reader.reading;
}

class Reader {
  readonly #secrets = new Map<string, KnownSecret>();
  readonly #unusable = new Map<string, string>();
  readonly #hosts = new Map<string, readonly SecretHost[]>();
  readonly #errors: string[] = [];
  #away: string | null = null;

  get reading(): SecretsReading {
    const secrets = new Map(
      [...this.#secrets].map(([name, secret]) => [
        name,
        unshown({ ...secret, hosts: [...secret.hosts, ...(this.#hosts.get(name) ?? [])] }),
      ]),
    );
    for (const name of this.#unusable.keys()) secrets.delete(name);
    return { table: { secrets, unusable: this.#unusable, away: this.#away }, errors: this.#errors };
  }

  add(name: string, value: string, source: string): void {
    const known = this.#secrets.get(name);
    if (known !== undefined)
      return this.#refuse(name, `it is in ${known.source} and in ${source}: remove one`);
    if (this.#secrets.size >= limits.secretsMax)
      return this.#refuse(name, `this agent has more than ${limits.secretsMax} secrets`);
    const fault = valueFault(value);
    if (fault !== null) return this.#refuse(name, `${fault} (${source})`);
    this.#secrets.set(name, { value, hosts: [], source });
  }

  /** Its values were read before: here nothing waits for another machine. */
  readVault(source: VaultSource, elsewhere: ReadElsewhere | null): void {
    this.#errors.push(...vaultMistakes(source));
    if (elsewhere === null) return;
    const { values, unusable } = elsewhere;
    this.#away = unusable;
    for (const [name, value] of values)
      if (!isSecretName(name)) continue;
      else if (unusable === null) this.add(name, value, `Vault at ${source.url}`);
      else this.#refuse(name, unusable);
  }

  readHosts(file: string): void {
    for (const [line, text] of this.#linesOf("PICKET_SECRETS_HOSTS_FILE", file)) {
      const [name = "", ...hosts] = text.split(/[\s,]+/);
      this.#takeHosts(name, hosts, `line ${line} of ${file}`);
    }
  }

  readLines(file: string): void {
    for (const [line, text] of this.#linesOf("PICKET_SECRETS_FILE", file)) {
      const at = text.indexOf("=");
      const name = text.slice(0, Math.max(0, at)).trim();
      if (isSecretName(name)) this.add(name, text.slice(at + 1), `line ${line} of ${file}`);
      else this.#errors.push(`PICKET_SECRETS_FILE: line ${line} of ${file} is not NAME=VALUE`);
    }
  }

  readDirectory(directory: string): void {
    try {
      const here = realpathSync(directory);
      // Kubernetes keeps what it mounted before in folders that begin with a dot.
      const names = readdirSync(directory).filter((name) => !name.startsWith("."));
      for (const name of names.toSorted()) this.#readFile(here, name);
    } catch (error) {
      this.#errors.push(`PICKET_SECRETS_DIR cannot be read: ${whyUnusable(error)} (${directory})`);
    }
  }

  #readFile(directory: string, name: string): void {
    const file = path.join(directory, name);
    const isHosts = name.endsWith(hostsEnd);
    const secret = isHosts ? name.slice(0, -hostsEnd.length) : name;
    if (!isSecretName(secret)) return;
    try {
      if (!isWithin(directory, realpathSync(file)))
        return this.#refuse(secret, `${file} is a link that leads out of its folder`);
      const max = isHosts ? limits.secretListBytesMax : limits.secretBytesMax;
      const text = readBounded(file, max);
      if (isHosts) this.#takeHosts(secret, wordsIn(text), file);
      else this.add(secret, text.replace(/\r?\n$/, ""), file);
    } catch (error) {
      const why = whyUnusable(error);
      if (why !== "EISDIR") this.#refuse(secret, `${file} cannot be read: ${why}`);
    }
  }

  /** One entry that cannot be read takes the secret away: less is sent then, and not more. */
  #takeHosts(name: string, entries: readonly string[], source: string): void {
    if (entries.length > limits.secretHostsMax)
      return this.#refuse(name, `${source} has more than ${limits.secretHostsMax} hosts`);
    const hosts: SecretHost[] = [];
    for (const entry of entries) {
      const host = parseSecretHost(entry);
      if (!host.ok) return this.#refuse(name, `${source} ${host.message}`);
      hosts.push(host.value);
    }
    this.#hosts.set(name, [...(this.#hosts.get(name) ?? []), ...hosts]);
  }

  #refuse(name: string, why: string): void {
    if (!this.#unusable.has(name)) this.#unusable.set(name, why);
  }

  /** With their numbers; without comments and empty lines. */
  #linesOf(setting: string, file: string): readonly (readonly [line: number, text: string])[] {
    try {
      return readBounded(file, limits.secretListBytesMax)
        .split(/\r?\n/)
        .map((text, index) => [index + 1, text] as const)
        .filter(([, text]) => text.trim() !== "" && !text.trimStart().startsWith("#"));
    } catch (error) {
      this.#errors.push(`${setting} cannot be read: ${whyUnusable(error)} (${file})`);
      return [];
    }
  }
}

const hostsEnd = ".hosts";

const isSecretName = (name: string): boolean =>
  /^[A-Za-z0-9._-]+$/.test(name) && name.length <= limits.secretNameCharsMax;

const isWithin = (directory: string, file: string): boolean =>
  path.relative(directory, file).split(path.sep)[0] !== "..";

const wordsIn = (text: string): readonly string[] =>
  text
    .replaceAll(/#.*$/gm, "")
    .split(/[\s,]+/)
    .filter((word) => word !== "");

/** Never the value itself. */
function valueFault(value: string): string | null {
  if (value === "") return "it is empty";
  if (value.includes("\0")) return "it holds a NUL character";
  if (value.includes("�")) return "it is not text in UTF-8";
  if (value.length < limits.secretCharsMin)
    return `it has fewer than ${limits.secretCharsMin} characters, so an answer that repeats it could not be recognised`;
  return null;
}
