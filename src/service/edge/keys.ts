import type { Clock } from "#base/clock";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/service-limits";
import { keyUseNotedEvery } from "#limits/store-limits";
import { hashCredential, newCredential } from "#service/edge/credential";
import { because, Refusal, refuseControls, refuseViolations } from "#service/edge/call-refusal";
import { integerOf, type KeyId, keyId } from "#service/store/ids";
import type { KeyRow, NewKey, Scope } from "#service/store/state-store";
import type { Store } from "#service/store/store";
import { StoreFault } from "#service/store/store-fault";
import { between, type EpochMillis } from "#base/units";

export type { Scope } from "#service/store/state-store";

/** A key as it is listed; the key itself is shown once, when it is made. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly createdAt: EpochMillis;
  /** Of one that was made before keys kept it, it is empty. */
  readonly prefix: string;
  /** Within a minute or two; null if it was never used. */
  readonly lastUsedAt: EpochMillis | null;
  /** From then on it opens nothing; null if it has no end. */
  readonly expiresAt: EpochMillis | null;
}

export interface WantedKey {
  readonly name: string;
  readonly scope: Scope;
}

/** API keys: made and revoked on the pages and on the machine of the service; their scope never changes. */
export class Keys {
  readonly #keys: Store["state"]["keys"];
  readonly #clock: Clock;
  /** Keys whose use is being written down. */
  readonly #noting = new Set<KeyId>();

  constructor({ state }: Store, clock: Clock) {
    this.#keys = state.keys;
    this.#clock = clock;
  }

  /** Without an end it works until it is revoked. */
  async create(
    { name, scope }: WantedKey,
    expiresAt: EpochMillis | null = null,
  ): Promise<{ readonly id: string; readonly key: string }> {
    if (name === "" || name.length > checkLimits.nameCharsMax)
      refuseViolations([
        { field: "name", message: `must have 1 to ${checkLimits.nameCharsMax} characters` },
      ]);
    refuseControls("name", name);
    if ((await this.#keys.list()).length >= limits.serviceApiKeysMax)
      throw new Refusal(
        "resource_exhausted",
        `there are ${limits.serviceApiKeysMax} API keys already: revoke one that is no longer used`,
      );
    const key = newCredential("key");
    const id = await this.#keys.create({ ...this.#made(key, { name, scope }), expiresAt });
    if (id === null)
      refuseViolations([{ field: "name", message: "belongs to a person: choose another" }]);
    return { id: String(id), key };
  }

  /** Null if there is a key: of replicas that start together, one makes it. */
  async createFirst(wanted: WantedKey): Promise<string | null> {
    const key = newCredential("key");
    return (await this.#keys.createFirst(this.#made(key, wanted))) === null ? null : key;
  }

  async list(): Promise<readonly ApiKey[]> {
    return (await this.#keys.list()).map(keyOf);
  }

  async revoke(id: string): Promise<void> {
    const known = await this.#idOf(id);
    if (known === null || !(await this.#keys.revoke(known, this.#clock.wall()))) throw noKey();
  }

  async get(id: string): Promise<ApiKey> {
    const known = await this.#idOf(id);
    const row = known === null ? null : await this.#keys.get(known);
    if (row === null) throw noKey();
    return keyOf(row);
  }

  /** The key that someone signed in with, noted as used now; null if it is revoked or past its end. */
  async usedWith(id: string): Promise<ApiKey | null> {
    const known = await this.#idOf(id);
    const row = known === null ? null : await this.#keys.get(known);
    const now = this.#clock.wall();
    if (row === null || hasEnded(row, now)) return null;
    this.#noteUse(row, now);
    return keyOf(row);
  }

  /** The key that a request carries; refused when it is missing, unknown, revoked or past its end. */
  async authenticate(key: string | null): Promise<ApiKey> {
    if (key === null || key === "")
      throw new Refusal(
        "unauthenticated",
        "the header x-service-key is missing",
        because("API_KEY_REQUIRED"),
      );
    const now = this.#clock.wall();
    const row = await this.#keys.ofHash(hashCredential(key), now);
    if (row === null)
      throw new Refusal(
        "unauthenticated",
        "the API key is unknown, revoked or past its end",
        because("API_KEY_INVALID"),
      );
    this.#noteUse(row, now);
    return keyOf(row);
  }

  /** No call waits for it: one that only reads is answered also while nothing can be written. */
  #noteUse({ id, lastUsedAt }: KeyRow, now: EpochMillis): void {
    if (lastUsedAt !== null && between(lastUsedAt, now) < keyUseNotedEvery) return;
    if (!this.#noting.has(id)) void this.#writeUse(id, now);
  }

  async #writeUse(id: KeyId, now: EpochMillis): Promise<void> {
    this.#noting.add(id);
    try {
      await this.#keys.used(id, now);
    } catch (error) {
      if (!(error instanceof StoreFault)) throw error;
    } finally {
      this.#noting.delete(id);
    }
  }

  #made(key: string, { name, scope }: WantedKey): NewKey {
    return {
      name,
      description: "",
      scope,
      prefix: key.slice(0, limits.keyPrefixChars),
      hash: hashCredential(key),
      at: this.#clock.wall(),
      expiresAt: null,
    };
  }

  async #idOf(text: string): Promise<KeyId | null> {
    const integer = integerOf(text);
    return integer === null ? this.#keys.idOfUid(text) : keyId(integer);
  }
}

const noKey = (): Refusal =>
  new Refusal(
    "not_found",
    "there is no API key with this id: picket service key list shows them",
    because("API_KEY_NOT_FOUND"),
  );

/** Whether a key opens nothing any more, though no one has revoked it. */
export const hasEnded = ({ expiresAt }: Pick<ApiKey, "expiresAt">, at: EpochMillis): boolean =>
  expiresAt !== null && expiresAt <= at;

const keyOf = ({ id, name, scope, createdAt, prefix, lastUsedAt, expiresAt }: KeyRow): ApiKey => ({
  id: String(id),
  name,
  scope,
  createdAt,
  prefix,
  lastUsedAt,
  expiresAt,
});

/** What a key may do, as whoami shows it: `["write"]` is full access, reading included. */
export const scopesOf = ({ scope }: ApiKey): readonly Scope[] => [scope];
