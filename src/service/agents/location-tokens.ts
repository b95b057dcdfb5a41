import type { Clock } from "#base/clock";
import * as limits from "#limits/service-limits";
import { noLocation, Refusal } from "#service/edge/call-refusal";
import { hashCredential, newCredential } from "#service/edge/credential";
import type { SecretBox } from "#service/edge/secret-box";
import type { LocationId } from "#service/store/ids";
import type { LocationRow } from "#service/store/state-store";
import type { NewToken, StoredToken } from "#service/store/token-store";
import type { Store } from "#service/store/store";
import { after, epochMillis, type EpochMillis, type Millis } from "#base/units";

export type WorkingToken = Omit<StoredToken, "sealed">;

/** The tokens of the locations: by which agents prove where they belong. */
export class LocationTokens {
  readonly #locations: Store["state"]["locations"];
  readonly #clock: Clock;
  readonly #box: SecretBox;

  constructor({ state }: Store, clock: Clock, box: SecretBox) {
    this.#locations = state.locations;
    this.#clock = clock;
    this.#box = box;
  }

  /** The first token of a location that is made with it, sealed under the name that the location has before its id. */
  sealedFor(uid: string): { readonly token: string; readonly made: NewToken } {
    const token = newCredential("loc");
    const sealed = this.#box.seal(token, purposeOf(uid));
    return { token, made: { hash: hashCredential(token), sealed, at: this.#clock.wall() } };
  }

  /** A new token; those before it work until the overlap has passed. */
  async rotate(
    id: LocationId,
    overlap: Millis,
  ): Promise<{ readonly token: string; readonly oldValidUntil: EpochMillis }> {
    const at = this.#clock.wall();
    const oldValidUntil = after(at, overlap);
    const token = newCredential("loc");
    const sealed = this.#box.seal(token, purposeOf(String(id)));
    const made = { hash: hashCredential(token), sealed, at };
    const most = limits.locationTokensMax;
    if (await this.#locations.rotate(id, made, oldValidUntil, most))
      return { token, oldValidUntil };
    if ((await this.#locations.get(id)) === null) throw noLocation(String(id));
    throw new Refusal(
      "resource_exhausted",
      `${most} tokens of this location are still valid: wait until the overlap of one has passed`,
    );
  }

  /** The newest token of a location; empty if no copy was kept that can be read. */
  async readable({ id, uid }: Pick<LocationRow, "id" | "uid">): Promise<string> {
    const kept = await this.#locations.tokens(id, this.#clock.wall());
    const newest = kept.find(({ validUntil }) => validUntil === null);
    if (newest === undefined || newest.sealed === "") return "";
    const open = (name: string): string | null => this.#box.open(newest.sealed, purposeOf(name));
    return open(String(id)) ?? open(uid) ?? "";
  }

  /** When each token that works was made, until when it does, and when an agent called with it: the newest first. */
  async working(id: LocationId): Promise<readonly WorkingToken[]> {
    const kept = await this.#locations.tokens(id, this.#clock.wall());
    return kept.map(({ sealed: _sealed, ...token }) => token);
  }

  /** Ends at once what a rotation left working; gives how many tokens those were. */
  endOld(id: LocationId): Promise<number> {
    return this.#locations.endOldTokens(id, this.#clock.wall());
  }

  /** Tokens that ended are forgotten some time later. */
  forgetOld(): Promise<void> {
    const now = this.#clock.wall();
    return this.#locations.forgetTokens(now, epochMillis(now - limits.endedTokensKeptFor));
  }
}

const purposeOf = (id: string): string => `the token of location ${id}`;
