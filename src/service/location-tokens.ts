import type { Clock } from "#clock";
import * as limits from "#limits";
import { Refusal } from "#service/call-refusal";
import { hashCredential, newCredential } from "#service/credential";
import { type Database, integer, text } from "#service/database";
import type { SecretBox } from "#service/secret-box";
import { after, type EpochMillis, type Millis } from "#units";

/** The tokens of the locations: by which agents prove where they belong. */
export class LocationTokens {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #box: SecretBox;

  constructor(database: Database, clock: Clock, box: SecretBox) {
    this.#database = database;
    this.#clock = clock;
    this.#box = box;
  }

  /** A further token of a location. Its hash is what opens the door; the sealed copy is for people. */
  make(id: string): string {
    const token = newCredential("loc");
    this.#database.run(
      "INSERT INTO location_tokens (hash, location_id, sealed) VALUES (?, ?, ?)",
      hashCredential(token),
      id,
      this.#box.seal(token, tokenPurpose(id)),
    );
    return token;
  }

  /** A new token; those before it work until the overlap has passed. */
  rotate(
    id: string,
    overlap: Millis,
  ): { readonly token: string; readonly oldValidUntil: EpochMillis } {
    const now = this.#clock.wall();
    const oldValidUntil = after(now, overlap);
    const token = this.#database.transaction(() => {
      this.#database.run(
        "UPDATE location_tokens SET valid_until = MIN(COALESCE(valid_until, ?), ?) WHERE location_id = ?",
        oldValidUntil,
        oldValidUntil,
        id,
      );
      // After the update, so that a rotation without overlap is never refused.
      this.#refuseTooMany(id, now);
      return this.make(id);
    });
    return { token, oldValidUntil };
  }

  /** The newest token of a location; empty where no copy was kept that can be read. */
  readable(id: string): string {
    const row = this.#database.get(
      "SELECT sealed FROM location_tokens WHERE location_id = ? AND valid_until IS NULL",
      id,
    );
    return row === null ? "" : (this.#box.open(text(row, "sealed"), tokenPurpose(id)) ?? "");
  }

  /** Tokens that no longer work are forgotten. */
  forgetOld(): void {
    this.#database.run("DELETE FROM location_tokens WHERE valid_until <= ?", this.#clock.wall());
  }

  #refuseTooMany(id: string, now: EpochMillis): void {
    this.#database.run(
      "DELETE FROM location_tokens WHERE location_id = ? AND valid_until <= ?",
      id,
      now,
    );
    const row = this.#database.get(
      "SELECT COUNT(*) AS count FROM location_tokens WHERE location_id = ?",
      id,
    );
    if (integer(row ?? {}, "count") >= limits.locationTokensMax)
      throw new Refusal(
        "resource_exhausted",
        `${limits.locationTokensMax} tokens of this location work still: wait until the overlap of one has passed`,
      );
  }
}

const tokenPurpose = (id: string): string => `the token of location ${id}`;
