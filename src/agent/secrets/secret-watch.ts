import { readdirSync } from "node:fs";
import path from "node:path";
import {
  hasSources,
  readSecrets,
  type SecretSources,
  type SecretsReading,
} from "#agent/secrets/read-secrets";
import { vaultMistakes } from "#agent/secrets/vault-source";
import { VaultValues } from "#agent/secrets/vault-values";
import type { SecretTable } from "#agent/secrets/secret-table";
import type { Clock } from "#base/clock";
import { type Logger, silentLogger } from "#base/log";
import * as limits from "#limits/secrets-limits";
import { stateOfFile } from "#machine/bounded-file";

/** The secrets as they are now: what changes on disk counts within seconds, without a restart. */
export class SecretWatch {
  readonly #sources: SecretSources;
  readonly #log: Logger;
  readonly #vault: VaultValues | null;
  #table: SecretTable | null = null;
  #seen = "";
  #errors = "";

  constructor(sources: SecretSources, log: Logger, vault: VaultValues | null = null) {
    this.#sources = sources;
    this.#log = log;
    this.#vault = vault;
    if (hasSources(sources)) this.look();
  }

  /** Null if there is no place where secrets could be. */
  get table(): SecretTable | null {
    return this.#table;
  }

  /** Reads them again if something changed, and says whether they did. What cannot be read stays as it was, and is tried at each look. */
  look(): boolean {
    const seen = this.#state();
    if (seen === this.#seen && this.#errors === "") return false;
    this.#seen = seen;
    const reading = readSecrets(this.#sources, this.#vault);
    this.#noteErrors(reading);
    if (reading.errors.length > 0 && this.#table !== null) return false;
    const before = this.#table;
    this.#table = reading.table;
    this.#noteUnusable(reading.table, before);
    if (before !== null)
      this.#log.info("the secrets of this location were read again", {
        secrets: reading.table.secrets.size,
      });
    return true;
  }

  #noteErrors({ errors }: SecretsReading): void {
    const all = errors.join("; ");
    if (all !== "" && all !== this.#errors)
      this.#log.warn("secrets cannot be read: the agent continues with those that it has", {
        "error.message": all,
      });
    this.#errors = all;
  }

  #noteUnusable({ unusable }: SecretTable, before: SecretTable | null): void {
    for (const [name, why] of unusable)
      if (before?.unusable.get(name) !== why)
        this.#log.warn("a secret cannot be used", { secret: name, reason: why });
  }

  /** Another text whenever a file was changed, added or taken away. */
  #state(): string {
    const { directory, file, hostsFile } = this.#sources;
    const files = [file, hostsFile].filter((one) => one !== "");
    if (directory !== "") files.push(directory, ...filesIn(directory));
    const seen = files.map((one) => `${one} ${stateOfFile(one)}`);
    return [...seen, this.#vault?.state ?? ""].join("\n");
  }
}

function filesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
      .filter((name) => !name.startsWith("."))
      .toSorted()
      .slice(0, 2 * limits.secretsMax)
      .map((name) => path.join(directory, name));
  } catch {
    return [];
  }
}

/** Whoever has to know the secrets of the location as they are now. */
interface SecretUser {
  useSecrets(table: SecretTable | null): void;
}

/** The watch of these places; a Vault among them is asked before it is given, and from then on until it is disposed. */
export async function watchSecrets(
  sources: SecretSources,
  clock: Clock,
  log: Logger,
): Promise<AsyncDisposable & { readonly watch: SecretWatch }> {
  if (sources.vault === null)
    return { watch: new SecretWatch(sources, log), [Symbol.asyncDispose]: async () => {} };
  const vault = new VaultValues(sources.vault, clock, log);
  await vault.refresh();
  const over = new AbortController();
  const asking = vault.run(over.signal);
  return {
    watch: new SecretWatch(sources, log, vault),
    [Symbol.asyncDispose]: async () => {
      over.abort();
      await asking;
    },
  };
}

/** Reads all of them once, a Vault included; it gets the token only if nothing is wrong with its settings. */
export async function readSecretsOnce(
  sources: SecretSources,
  clock: Clock,
): Promise<SecretsReading> {
  if (sources.vault === null || vaultMistakes(sources.vault).length > 0)
    return readSecrets(sources);
  const vault = new VaultValues(sources.vault, clock, silentLogger);
  await vault.refresh();
  return readSecrets(sources, vault);
}

/** Looks again every few seconds until it is disposed, and hands on what has changed. */
export function renewSecrets(
  watch: SecretWatch,
  clock: Clock,
  users: readonly SecretUser[],
): AsyncDisposable {
  const over = new AbortController();
  const looking = lookUntil(watch, clock, users, over.signal);
  return {
    [Symbol.asyncDispose]: async () => {
      over.abort();
      await looking;
    },
  };
}

async function lookUntil(
  watch: SecretWatch,
  clock: Clock,
  users: readonly SecretUser[],
  over: AbortSignal,
): Promise<void> {
  if (watch.table === null) return;
  while (!over.aborted) {
    await clock.sleep(limits.secretsLookEvery, over);
    if (over.aborted || !watch.look()) continue;
    for (const user of users) user.useSecrets(watch.table);
  }
}
