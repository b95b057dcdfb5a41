import type { Clock } from "#base/clock";
import * as limits from "#limits/pages-limits";
import type { SecretBox } from "#service/edge/secret-box";
import { after } from "#base/units";

/** What has to be known again when the provider sends the browser back. */
interface StartedSignIn {
  readonly state: string;
  readonly nonce: string;
  /** RFC 7636: whoever sees the code on the way cannot use it without this. */
  readonly verifier: string;
  /** Where the person wanted to go. */
  readonly next: string;
}

/** Where the browser is sent, and the cookie that it keeps meanwhile. */
export interface SignInStart {
  readonly url: string;
  readonly cookie: string;
}

/** Sign-ins under way are sealed into a cookie, so that another replica can end what this one started. */
export class StartedSignIns {
  readonly #box: SecretBox;
  readonly #clock: Clock;

  constructor({ box, clock }: { readonly box: SecretBox; readonly clock: Clock }) {
    this.#box = box;
    this.#clock = clock;
  }

  sealed({ state, nonce, verifier, next }: StartedSignIn): string {
    const until = after(this.#clock.wall(), limits.signInWithin);
    // A path of the usual length fits into a cookie; a longer one is not worth losing the sign-in.
    const kept = next.length <= limits.signInNextCharsMax ? next : "/";
    return this.#box.seal([until, state, nonce, verifier, kept].join(" "), purpose);
  }

  /** Null for what is not ours, or too old. */
  opened(cookie: string): StartedSignIn | null {
    const [until = "", state = "", nonce = "", verifier = "", next = "/"] =
      this.#box.open(cookie, purpose)?.split(" ") ?? [];
    return Number(until) > this.#clock.wall() ? { state, nonce, verifier, next } : null;
  }
}

const purpose = "a sign-in under way";
