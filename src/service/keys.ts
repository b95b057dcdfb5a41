import type { Clock } from "#clock";
import * as limits from "#limits";
import { hashCredential, newCredential } from "#service/credential";
import { type Database, integer, text } from "#service/database";
import { because, Refusal, refuseViolations } from "#service/call-refusal";
import { nextId } from "#service/next-id";
import { epochMillis, type EpochMillis } from "#units";

export type Scope = "read" | "write";

/** A key as it is listed; the key itself is shown once, when it is made. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly createdAt: EpochMillis;
}

/** API keys: made and revoked on the machine of the service only; their scope never changes. */
export class Keys {
  readonly #database: Database;
  readonly #clock: Clock;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  create({ name, scope }: { readonly name: string; readonly scope: Scope }): {
    readonly id: string;
    readonly key: string;
  } {
    if (name === "" || name.length > limits.nameCharsMax)
      refuseViolations([
        { field: "name", message: `must have 1 to ${limits.nameCharsMax} characters` },
      ]);
    if (this.list().length >= limits.serviceApiKeysMax)
      throw new Refusal(
        "resource_exhausted",
        `there are ${limits.serviceApiKeysMax} API keys already: revoke one that is no longer used`,
      );
    const id = nextId(this.#database, "key");
    const key = newCredential("key");
    this.#database.run(
      "INSERT INTO api_keys (id, name, hash, scope, created_at) VALUES (?, ?, ?, ?, ?)",
      id,
      name,
      hashCredential(key),
      scope,
      this.#clock.wall(),
    );
    return { id, key };
  }

  list(): readonly ApiKey[] {
    return this.#database
      .all("SELECT * FROM api_keys WHERE revoked_at IS NULL ORDER BY created_at, id")
      .map(keyOf);
  }

  revoke(id: string): void {
    const changed = this.#database.run(
      "UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL",
      this.#clock.wall(),
      id,
    );
    if (changed === 0) throw noKey();
  }

  get(id: string): ApiKey {
    const row = this.#database.get(
      "SELECT * FROM api_keys WHERE id = ? AND revoked_at IS NULL",
      id,
    );
    if (row === null) throw noKey();
    return keyOf(row);
  }

  /** The key that a request carries; refused when it is missing, unknown or revoked. */
  authenticate(key: string | null): ApiKey {
    if (key === null || key === "")
      throw new Refusal(
        "unauthenticated",
        "the header x-service-key is missing",
        because("API_KEY_REQUIRED"),
      );
    const row = this.#database.get(
      "SELECT * FROM api_keys WHERE hash = ? AND revoked_at IS NULL",
      hashCredential(key),
    );
    if (row === null)
      throw new Refusal(
        "unauthenticated",
        "the API key is unknown or revoked",
        because("API_KEY_INVALID"),
      );
    return keyOf(row);
  }
}

const noKey = (): Refusal =>
  new Refusal(
    "not_found",
    "there is no API key with this id: picket service key list shows them",
    because("API_KEY_NOT_FOUND"),
  );

const keyOf = (row: Parameters<typeof text>[0]): ApiKey => ({
  id: text(row, "id"),
  name: text(row, "name"),
  scope: text(row, "scope") === "read" ? "read" : "write",
  createdAt: epochMillis(integer(row, "created_at")),
});

/** What a key may do, as whoami tells it: `["write"]` is full access, reading included (service-interface.md §5). */
export const scopesOf = ({ scope }: ApiKey): readonly Scope[] => [scope];
