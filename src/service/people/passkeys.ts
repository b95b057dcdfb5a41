import { randomBytes } from "node:crypto";
import type { VerifiedAuthenticationResponse } from "@simplewebauthn/server";
import type { Clock } from "#base/clock";
import { after, epochMillis } from "#base/units";
import * as limits from "#limits/pages-limits";
import { Refusal, refuseViolations, violation } from "#service/edge/call-refusal";
import type { SecretBox } from "#service/edge/secret-box";
import { madePasskeyIn, signedChallengeIn } from "#service/people/passkey-answer";
import { type PasskeySite, passkeySite } from "#service/people/passkey-site";
import { nameFaults } from "#service/people/people";
import { newRecoveryCodes } from "#service/people/recovery-codes";
import type { PasskeyOutcome, PasskeyRow, PasskeyStore } from "#service/store/passkey-store";
import type { AccountRow, Accounts } from "#service/store/people-store";
import type { Store } from "#service/store/store";

/** What a page has a browser sign. */
export interface PasskeyChallenge {
  /** What the form carries until then. */
  readonly sealed: string;
  /** What the browser is asked for, as JSON. */
  readonly options: string;
}

/** What a person adds. */
interface WantedPasskey {
  readonly name: string;
  /** The session in which it is added: in another one the challenge is worth nothing. */
  readonly session: string;
  readonly site: PasskeySite;
}

/** What became of a signed challenge; `why` is for the log. */
type PasskeySignIn =
  | { readonly is: "let in"; readonly account: AccountRow }
  | { readonly is: "refused"; readonly why: string };

/**
 * Passkeys (WebAuthn) of people with an account. A challenge is sealed into its form, ends after some minutes, and counts
 * once; which host and page may be signed for is said by the address of the service.
 */
export class Passkeys {
  readonly #accounts: Accounts;
  readonly #passkeys: PasskeyStore;
  readonly #box: SecretBox;
  readonly #clock: Clock;

  constructor(
    { people }: Store,
    { box, clock }: { readonly box: SecretBox; readonly clock: Clock },
  ) {
    this.#accounts = people.accounts;
    this.#passkeys = people.passkeys;
    this.#box = box;
    this.#clock = clock;
  }

  list({ id }: Pick<AccountRow, "id">): Promise<readonly PasskeyRow[]> {
    return this.#passkeys.list(id);
  }

  /** Refuses one that this person does not have. */
  async remove({ id }: Pick<AccountRow, "id">, passkey: number): Promise<void> {
    if (!(await this.#passkeys.remove(id, passkey)))
      throw new Refusal("not_found", "there is no such passkey");
  }

  /** How many work at the service's address, or at any while that is null, and would not at another one. */
  async lostBy(address: string | null, another: string): Promise<number> {
    const now = address === null ? null : (passkeySite(address)?.host ?? "");
    const then = passkeySite(another)?.host;
    let lost = 0;
    for (const [host, count] of await this.#passkeys.countByHost())
      if (host !== then && (now === null || host === now)) lost += count;
    return lost;
  }

  /** Refuses a name that is no good one, before anyone looks for their key. */
  async draft(
    account: AccountRow,
    { name: typed, session, site }: WantedPasskey,
  ): Promise<PasskeyChallenge> {
    const name = typed.trim();
    refuseViolations(nameFaults(name));
    const known = await this.list(account);
    if (known.some((one) => one.name === name)) refuseOutcome("same name");
    if (known.length >= limits.passkeysMax) refuseOutcome("too many");
    const challenge = newChallenge();
    const draft = { id: account.id, until: this.#until(), name, session, challenge };
    const options = {
      rp: { name: "Picket", id: site.host },
      // What an authenticator keeps it by: it says nothing of the person to whoever finds it.
      user: { id: handleOf(account), name: account.email, displayName: account.name },
      challenge,
      pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
      timeout: limits.factorWithin,
      attestation: "none",
      authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
      excludeCredentials: known.map(credentialOf),
    };
    const sealed = this.#box.seal(JSON.stringify(draft), draftPurpose);
    return { sealed, options: JSON.stringify(options) };
  }

  /** Keeps what a browser made. Gives recovery codes if the person had none: they are shown once. */
  async confirm(
    account: AccountRow,
    { session, site }: Omit<WantedPasskey, "name">,
    { sealed, answer }: { readonly sealed: string; readonly answer: string },
  ): Promise<readonly string[]> {
    const draft: DraftText = JSON.parse(this.#box.open(sealed, draftPurpose) ?? "{}");
    const isOurs = draft.id === account.id && draft.session === session;
    if (!isOurs || !(Number(draft.until) > this.#clock.wall())) throw violation(tooLate);
    const made = await madeFor(answer, draft.challenge ?? "", site);
    if (made === null) throw violation(notMade);
    const { codes, hashes } = newRecoveryCodes();
    const { counter, credential, publicKey, transports } = made;
    const row = { name: draft.name ?? "", credential, publicKey, counter, transports };
    const at = this.#clock.wall();
    const outcome = await this.#passkeys.add(
      account.id,
      {
        ...row,
        host: site.host,
        at,
        challenge: draft.challenge ?? "",
        until: epochMillis(Number(draft.until)),
      },
      hashes,
      limits.passkeysMax,
    );
    refuseOutcome(outcome);
    return outcome === "added with codes" ? codes : [];
  }

  /** For whoever has shown this person's password. Null if they have no passkey for this site. */
  async secondStep(account: AccountRow, site: PasskeySite): Promise<PasskeyChallenge | null> {
    const known = (await this.list(account)).filter(({ host }) => host === site.host);
    if (known.length === 0) return null;
    return this.#challenge(account.id, site, {
      userVerification: "discouraged",
      allowCredentials: known.map(credentialOf),
    });
  }

  /** For whoever signs in with a passkey alone: it has to know its person, e.g. by a finger or a PIN. */
  alone(site: PasskeySite): PasskeyChallenge {
    return this.#challenge(0, site, { userVerification: "required", allowCredentials: [] });
  }

  /** Whose passkey has signed the challenge, if it was for that person, or for whoever comes if that is null. */
  async signIn(
    { sealed, answer }: { readonly sealed: string; readonly answer: string },
    site: PasskeySite,
    expected: AccountRow | null,
  ): Promise<PasskeySignIn> {
    const text = this.#box.open(sealed, signInPurpose) ?? "";
    const [id = "", until = "", challenge = ""] = text.split(" ");
    if (Number(id) !== (expected?.id ?? 0)) return refused("its challenge is for someone else");
    if (!(Number(until) > this.#clock.wall())) return refused("its challenge has ended");
    const signed = signedChallengeIn(answer);
    const passkey = signed === null ? null : await this.#passkeys.ofCredential(signed.id);
    if (signed === null || passkey === null) return refused("no one has this passkey");
    const account = await this.#accounts.get(passkey.account);
    if (account === null || (expected !== null && account.id !== expected.id))
      return refused("the passkey is another person's");
    // An account without a password waits for its link.
    if (account.disabledAt !== null || account.password === "")
      return refused("the account opens nothing");
    const verified = await verifiedBy(passkey, { signed, challenge, site, expected });
    if (typeof verified === "string") return refused(verified);
    const counter = verified.authenticationInfo.newCounter;
    const answered = { challenge, until: epochMillis(Number(until)), counter };
    const counts = await this.#passkeys.use(passkey.id, { ...answered, at: this.#clock.wall() });
    return counts ? { is: "let in", account } : refused("its challenge was answered already");
  }

  #challenge(id: number, { host }: PasskeySite, asked: object): PasskeyChallenge {
    const challenge = newChallenge();
    const sealed = this.#box.seal(`${id} ${this.#until()} ${challenge}`, signInPurpose);
    const timeout = limits.factorWithin;
    return { sealed, options: JSON.stringify({ rpId: host, challenge, timeout, ...asked }) };
  }

  #until() {
    return after(this.#clock.wall(), limits.factorWithin);
  }
}

/** What is sealed while a passkey is added; nothing of it is there in a text that is not ours. */
type DraftText = Partial<
  Readonly<Record<"id" | "until", number> & Record<"name" | "session" | "challenge", string>>
>;

const draftPurpose = "a passkey that is added";
const signInPurpose = "a sign-in by a passkey";

/** Ed25519, ECDSA with P-256, and RSA, which older Windows needs: https://www.iana.org/assignments/cose */
const algorithms = [-8, -7, -257];

const newChallenge = (): string => randomBytes(32).toString("base64url");

const handleOf = ({ id }: AccountRow): string => Buffer.from(`account ${id}`).toString("base64url");

const credentialOf = ({ credential, transports }: PasskeyRow) => ({
  type: "public-key",
  id: credential,
  transports,
});

const refused = (why: string): PasskeySignIn => ({ is: "refused", why });

const tooLate = { field: "", message: "that took too long: add the passkey again" };
const notMade = {
  field: "",
  message: "the browser made no passkey for this address: add it again",
};

/** The passkey that a browser made for this challenge and site; null if it made none, or for another. */
async function madeFor(answer: string, challenge: string, site: PasskeySite) {
  const response = madePasskeyIn(answer);
  if (response === null) return null;
  // Few people ever add one, and the library takes 27 MB.
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.host,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch(nullIfWrong);
  if (verified === null || !verified.verified) return null;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  const key = Buffer.from(publicKey).toString("base64url");
  const transports = response.response.transports ?? [];
  return { credential: id, publicKey: key, counter, transports };
}

interface SignedChallenge {
  readonly signed: NonNullable<ReturnType<typeof signedChallengeIn>>;
  readonly challenge: string;
  readonly site: PasskeySite;
  readonly expected: AccountRow | null;
}

/** What the passkey has signed, or why that does not count. */
async function verifiedBy(
  { credential, publicKey, counter, host }: PasskeyRow,
  { signed, challenge, site, expected }: SignedChallenge,
): Promise<VerifiedAuthenticationResponse | string> {
  if (host !== site.host) return `the passkey is for ${host}`;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  try {
    const verified = await verifyAuthenticationResponse({
      response: signed,
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.host,
      credential: {
        id: credential,
        publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")),
        counter,
      },
      requireUserVerification: expected === null,
    });
    return verified.verified ? verified : "its signature is wrong";
  } catch (error) {
    return wrongnessOf(error).slice(0, limits.refusalLoggedCharsMax);
  }
}

/** The library throws for everything that is wrong with an answer. */
const wrongnessOf = (error: unknown): string => (Error.isError(error) ? error.message : "");
function nullIfWrong(error: unknown): null {
  if (Error.isError(error)) return null;
  throw error;
}

function refuseOutcome(outcome: PasskeyOutcome): void {
  switch (outcome) {
    case "added":
    case "added with codes":
      return;
    case "answered before":
      throw violation(tooLate);
    case "known":
      throw violation({ field: "", message: "this passkey is already added" });
    case "same name":
      throw violation({ field: "name", message: "is the name of another of your passkeys" });
    case "too many":
      throw violation({
        field: "",
        message: `you have ${limits.passkeysMax} passkeys: remove one first`,
      });
  }
}
