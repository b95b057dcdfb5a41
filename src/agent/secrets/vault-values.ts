import { VaultCalls, VaultFault, type VaultToken } from "#agent/secrets/vault-calls";
import type { VaultSource } from "#agent/secrets/vault-source";
import type { Clock } from "#base/clock";
import type { Logger } from "#base/log";
import { between, type EpochMillis, type Millis, millis, seconds } from "#base/units";
import { unshown } from "#config/secret";
import * as limits from "#limits/secrets-limits";

interface HeldToken extends VaultToken {
  /** When it was got, however often it was renewed. */
  readonly issuedAt: EpochMillis;
  /** Epoch milliseconds; at half of its lease it is renewed. */
  readonly endsAt: number;
  readonly isHalfAt: number;
}

/** Secrets as a Vault had them last. Asked on the main thread alone; checks never wait for it. */
export class VaultValues {
  readonly #source: VaultSource;
  readonly #calls: VaultCalls;
  readonly #clock: Clock;
  readonly #log: Logger;
  #token: HeldToken | null = null;
  #values: ReadonlyMap<string, string> = unshown(new Map<string, string>());
  #readAt: EpochMillis | null = null;
  #fault: string | null = null;
  /** Why an entry gave nothing, while others did. */
  #absences: ReadonlySet<string> = new Set();
  #version = 0;

  constructor(source: VaultSource, clock: Clock, log: Logger) {
    this.#source = source;
    this.#calls = new VaultCalls(source, clock);
    this.#clock = clock;
    this.#log = log;
  }

  /** By name; the last ones, also while Vault is away. */
  get values(): ReadonlyMap<string, string> {
    return this.#values;
  }

  /** Why they cannot be used, as the rest of a sentence; null if they can. */
  get unusable(): string | null {
    const { url } = this.#source;
    if (this.#readAt === null) return `Vault ${this.#fault ?? "was not asked yet"}, at ${url}`;
    const isKept = between(this.#readAt, this.#clock.wall()) < limits.vaultKeptFor;
    if (isKept || this.#fault === null) return null;
    return `Vault ${this.#fault} since ${new Date(this.#readAt).toISOString()}, at ${url}, and what it said is not kept longer than ${limits.vaultKeptFor / 60_000} minutes`;
  }

  /** Another text when there is something else to know. */
  get state(): string {
    return `${this.#version} ${this.unusable ?? ""}`;
  }

  /** Reads all of it, and says when to do so again. Never rejects. */
  async refresh(): Promise<Millis> {
    try {
      const token = await this.#usableToken();
      const read = await Promise.all(
        this.#source.entries.map((entry) => this.#calls.read(entry, token)),
      );
      const found = read.flatMap((one) => (one instanceof VaultFault ? [] : [one]));
      const absences = read.filter((one) => one instanceof VaultFault);
      if (found.length === 0 && absences[0] !== undefined) throw absences[0];
      this.#noteAbsences(absences);
      this.#take(found.flatMap(({ fields }) => Object.entries(fields)));
      const leases = found.map((one) => one.leaseSeconds).filter((lease) => lease > 0);
      const soonest = Math.min(limits.vaultReadEvery, ...leases.map((lease) => seconds(lease / 2)));
      return millis(Math.max(limits.vaultReadEveryMin, soonest));
    } catch (error) {
      if (!(error instanceof VaultFault)) throw error;
      if (error.refusesToken) this.#dropOldToken();
      if (this.#fault !== error.message)
        this.#log.warn("secrets cannot be read from Vault: the last ones are used for a while", {
          reason: `Vault ${error.message}`,
          "secrets kept": this.#values.size,
        });
      this.#fault = error.message;
      return limits.vaultTryAgainAfter;
    }
  }

  async run(over: AbortSignal): Promise<void> {
    let pause = this.#fault === null ? limits.vaultReadEvery : limits.vaultTryAgainAfter;
    while (!over.aborted) {
      await this.#clock.sleep(pause, over);
      if (!over.aborted) pause = await this.refresh();
    }
  }

  /** A token of a file is compared with each use, so that another one counts without a restart. */
  async #usableToken(): Promise<VaultToken> {
    const now = this.#clock.wall();
    const known = this.#token;
    if (known === null || known.endsAt <= now || this.#calls.hasOtherToken(known.value))
      return this.#keep(await this.#calls.logIn());
    return known.isHalfAt > now ? known : this.#renewed(known);
  }

  /** It is good for as long again as it was: what cannot be renewed yet is used until its end. */
  async #renewed(known: HeldToken): Promise<VaultToken> {
    try {
      return known.isRenewable
        ? this.#keep(await this.#calls.renew(known), known.issuedAt)
        : this.#keep(await this.#calls.logIn());
    } catch (error) {
      if (error instanceof VaultFault) return known;
      throw error;
    }
  }

  /** Another token is asked for, unless this one is new: then its policy does not allow an entry, and another's would not. */
  #dropOldToken(): void {
    const age = this.#token === null ? 0 : between(this.#token.issuedAt, this.#clock.wall());
    if (age > limits.vaultTokenDroppedAfter) this.#token = null;
  }

  #noteAbsences(faults: readonly VaultFault[]): void {
    const reasons = new Set(faults.map(({ message }) => `Vault ${message}`));
    for (const reason of reasons)
      if (!this.#absences.has(reason))
        this.#log.warn("an entry of Vault is not there: its secrets are missing", { reason });
    this.#absences = reasons;
  }

  #keep(token: VaultToken, issuedAt = this.#clock.wall()): VaultToken {
    const now = this.#clock.wall();
    const lease = token.leaseSeconds === 0 ? Number.POSITIVE_INFINITY : seconds(token.leaseSeconds);
    this.#token = { ...token, issuedAt, endsAt: now + lease, isHalfAt: now + lease / 2 };
    return token;
  }

  #take(entries: readonly (readonly [string, unknown])[]): void {
    const values = new Map(
      entries.map(([name, value]) => [
        name,
        typeof value === "string" ? value : JSON.stringify(value),
      ]),
    );
    const isSame =
      values.size === this.#values.size &&
      [...values].every(([name, value]) => this.#values.get(name) === value);
    if (!isSame) this.#version += 1;
    if (this.#fault !== null) this.#log.info("Vault answers again", { secrets: values.size });
    this.#values = unshown(values);
    this.#fault = null;
    this.#readAt = this.#clock.wall();
  }
}
