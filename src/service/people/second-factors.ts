import { Secret, TOTP } from "otpauth";
import type { Clock } from "#base/clock";
import { after, type EpochMillis } from "#base/units";
import * as limits from "#limits/pages-limits";
import { violation } from "#service/edge/call-refusal";
import { hashOfCode, newRecoveryCodes, plainCode } from "#service/people/recovery-codes";
import type { SecretBox } from "#service/edge/secret-box";
import type { AccountRow, Accounts } from "#service/store/people-store";
import type { Store } from "#service/store/store";

/** A second factor that a person sets up: kept once a code of it was shown. */
export interface FactorDraft {
  /** What the form carries until then. */
  readonly sealed: string;
  /** For an app that cannot see the picture. */
  readonly secret: string;
  /** What the picture says. */
  readonly uri: string;
}

/** Whether a password alone lets this person in no more. */
export const hasFactor = ({ sealed, passkeys }: AccountRow): boolean =>
  sealed !== "" || passkeys > 0;

/** Codes of an app (RFC 6238) and recovery codes, each of which counts once. Secrets are sealed, codes hashed. */
export class SecondFactors {
  readonly #accounts: Accounts;
  readonly #box: SecretBox;
  readonly #clock: Clock;

  constructor(
    { people }: Store,
    { box, clock }: { readonly box: SecretBox; readonly clock: Clock },
  ) {
    this.#accounts = people.accounts;
    this.#box = box;
    this.#clock = clock;
  }

  draft(account: AccountRow): FactorDraft {
    const secret = new Secret({ size: secretBytes });
    const until = after(this.#clock.wall(), limits.factorWithin);
    return this.#draftOf(account, secret, `${account.id} ${until} ${secret.base32}`);
  }

  /** The same once more, e.g. after a wrong code; null if it is not this person's, or too old. */
  again(account: AccountRow, sealed: string): FactorDraft | null {
    const text = this.#box.open(sealed, draftPurpose) ?? "";
    const [id, until, secret = ""] = text.split(" ");
    if (Number(id) !== account.id || !(Number(until) > this.#clock.wall())) return null;
    return this.#draftOf(account, Secret.fromBase32(secret), text);
  }

  /** Keeps it if the code is right, and gives the recovery codes, which are shown once. */
  async confirm(
    account: AccountRow,
    { secret }: Pick<FactorDraft, "secret">,
    code: string,
  ): Promise<readonly string[]> {
    const step = stepOf(Secret.fromBase32(secret), code, this.#clock.wall());
    if (step === null)
      throw violation({
        field: "code",
        message: "This code is wrong or expired: enter the newest one",
      });
    const { codes, hashes } = newRecoveryCodes();
    const sealed = this.#box.seal(secret, purposeOf(account));
    await this.#accounts.putFactor(account.id, sealed, step, hashes);
    return codes;
  }

  /** Whether this is a code that may count now, of the app or for recovery: it is used up by that. */
  async take(account: AccountRow, typed: string): Promise<boolean> {
    const code = plainCode(typed);
    if (!/^\d{6}$/.test(code)) return this.#accounts.takeRecoveryCode(account.id, hashOfCode(code));
    const secret = this.#box.open(account.sealed, purposeOf(account));
    if (secret === null) return false;
    const step = stepOf(Secret.fromBase32(secret), code, this.#clock.wall());
    return step !== null && this.#accounts.takeStep(account.id, step);
  }

  recoveryCodesLeft({ id }: AccountRow): Promise<number> {
    return this.#accounts.recoveryCodesLeft(id);
  }

  remove({ id }: Pick<AccountRow, "id">): Promise<void> {
    return this.#accounts.removeFactor(id);
  }

  #draftOf({ email }: AccountRow, secret: Secret, text: string): FactorDraft {
    const uri = new TOTP({ ...kind, issuer: "Picket", label: email, secret }).toString();
    return { sealed: this.#box.seal(text, draftPurpose), secret: secret.base32, uri };
  }
}

/** What every app knows: SHA-1, which is strong enough here (RFC 6238 §1.2), six digits, half a minute. */
const kind = { algorithm: "SHA1", digits: 6, period: limits.codeStep / 1000 } as const;
/** RFC 4226 §4: 160 bits. */
const secretBytes = 20;

const draftPurpose = "a second factor that is set up";
const purposeOf = ({ id }: AccountRow): string => `the second factor of account ${id}`;

/** The step of time whose code this is, counted from 1970; null if it is of none that counts now. */
function stepOf(secret: Secret, code: string, at: EpochMillis): number | null {
  const aside = new TOTP({ ...kind, secret }).validate({
    token: plainCode(code),
    timestamp: at,
    window: limits.codeStepsAside,
  });
  return aside === null ? null : Math.floor(at / limits.codeStep) + aside;
}
