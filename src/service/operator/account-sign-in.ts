import type { IncomingMessage } from "node:http";
import * as limits from "#limits/pages-limits";
import type { Logger } from "#base/log";
import { after } from "#base/units";
import type { Block } from "#network/address-block";
import { formIn } from "#service/edge/posted-form";
import { lineAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import { isFromElsewhere, isSecure } from "#service/edge/request-facts";
import { Tries } from "#service/edge/tries";
import { wantedPath } from "#service/operator/page-request";
import { passwordChangedPath } from "#service/operator/forgotten/kept-address";
import type { PageRooms } from "#service/operator/page-rooms";
import { markOf, type Sessions, sessionCookieText } from "#service/operator/sessions";
import {
  fault,
  type SignInState,
  signInPage,
  strangersPage,
  tooOften,
} from "#service/operator/sign-in-page";
import { codeView, joinView, passkeyPath, spentLinkView } from "#service/operator/sign-in-view";
import { mistakesOf } from "#service/operator/settings/small-form";
import { type PasskeySite, passkeySite } from "#service/people/passkey-site";
import { joinPath, refusePassword, whoOf } from "#service/people/people";
import { hasFactor } from "#service/people/second-factors";
import { serviceAddress } from "#service/operator/service-address";
import { actingAs } from "#service/store/audit/actor";
import { personId } from "#service/store/ids";
import type { Mistake } from "#check/findings";
import type { AccountRow } from "#service/store/people-store";
import { readersAddress } from "#web/reader-address";

/**
 * Signs in people with an account of this service: e-mail address and password, then a code if there is a second factor;
 * and takes the link with which a person chooses a password.
 */
export class AccountSignIn {
  readonly #rooms: PageRooms;
  readonly #sessions: Sessions;
  readonly #trustedProxies: readonly Block[];
  readonly #log: Logger;
  readonly #passwordTries: Tries;
  readonly #codeTries: Tries;
  readonly #linkTries: Tries;
  readonly #passkeyTries: Tries;

  constructor(rooms: PageRooms, sessions: Sessions, trustedProxies: readonly Block[], log: Logger) {
    this.#rooms = rooms;
    this.#sessions = sessions;
    this.#trustedProxies = trustedProxies;
    this.#log = log;
    const { clock } = rooms;
    const perAddress = limits.signInTriesPerAddressMax;
    const ofCodes = limits.codeTriesPerMinuteMax;
    this.#passwordTries = new Tries(clock, { perAddress, together: limits.signInTriesMax });
    // Each account has its own count: whoever has its password gets no more tries from many addresses.
    this.#codeTries = new Tries(clock, { perAddress: ofCodes, together: ofCodes });
    // No one guesses a signature, and a try costs little: strangers cannot use these up for others.
    this.#passkeyTries = new Tries(clock, { perAddress, together: limits.keyTriesMax });
    this.#linkTries = new Tries(clock, { perAddress, together: limits.signInTriesMax });
  }

  has(pathname: string): boolean {
    return [codePath, passkeyPath, joinPath].includes(pathname);
  }

  async answer(request: IncomingMessage, url: URL): Promise<PageAnswer> {
    if (request.method !== "POST")
      return url.pathname === joinPath
        ? this.#showJoining(url.searchParams.get("link") ?? "")
        : seeOther("/sign-in");
    const form = await formIn(request);
    if (form === null || isFromElsewhere(request)) return lineAnswer(403, "This form is not ours.");
    switch (url.pathname) {
      case joinPath:
        return this.#join(request, form);
      case passkeyPath:
        return this.#takePasskey(request, form);
      default:
        return this.#takeCode(request, form);
    }
  }

  /** The first step; it says the same of an unknown address and of a wrong password. */
  async takePassword(request: IncomingMessage, form: URLSearchParams): Promise<PageAnswer> {
    const next = wantedPath(form.get("next"));
    const email = form.get("email") ?? "";
    if (!this.#passwordTries.take(this.#addressOf(request)))
      return this.#page(request, { next, saying: fault(tooOften) }, 429);
    const account = await this.#rooms.people.withPassword(email, form.get("password") ?? "");
    if (account === null) {
      this.#logRefusal(request, "a person could not sign in");
      const known = await this.#rooms.store.people.accounts.ofEmail(email.trim().toLowerCase());
      await this.#recordRefusal(request, { by: "password", typed: email.trim() }, known);
      const saying = {
        ...fault("That e-mail address and password do not belong together."),
        email,
      };
      return this.#page(request, { next, saying }, 403);
    }
    if (!hasFactor(account)) return this.#letIn(request, account, next, "password");
    return this.#codePage(request, { account, next, wrong: null }, 200);
  }

  async #takeCode(request: IncomingMessage, form: URLSearchParams): Promise<PageAnswer> {
    const next = wantedPath(form.get("next"));
    const account = await this.#halfSignedIn(form.get("half") ?? "");
    if (account === null)
      return this.#page(request, { next, saying: fault("That took too long: begin again.") }, 403);
    if (!this.#codeTries.take(this.#addressOf(request), String(account.id)))
      return this.#codePage(request, { account, next, wrong: tooOften }, 429);
    if (form.has("answer")) return this.#takeSecondPasskey(request, form, account);
    if (await this.#rooms.factors.take(account, form.get("code") ?? ""))
      return this.#letIn(request, account, next, "password and code");
    this.#logRefusal(request, "a person showed a wrong code after the right password");
    await this.#recordRefusal(request, { by: "code after the right password" }, account);
    const wrong = "That code is wrong, or was used already.";
    return this.#codePage(request, { account, next, wrong }, 403);
  }

  async #takeSecondPasskey(
    request: IncomingMessage,
    form: URLSearchParams,
    account: AccountRow,
  ): Promise<PageAnswer> {
    const next = wantedPath(form.get("next"));
    const signed = await this.#signedBy(request, form, account);
    if (signed !== null) return this.#letIn(request, signed, next, "password and passkey");
    return this.#codePage(request, { account, next, wrong: refusedPasskey }, 403);
  }

  /** Without a password: the passkey says whose it is. */
  async #takePasskey(request: IncomingMessage, form: URLSearchParams): Promise<PageAnswer> {
    const next = wantedPath(form.get("next"));
    if (!this.#passkeyTries.take(this.#addressOf(request)))
      return this.#page(request, { next, saying: fault(tooOften) }, 429);
    const account = await this.#signedBy(request, form, null);
    if (account !== null) return this.#letIn(request, account, next, "passkey");
    return this.#page(request, { next, saying: fault(refusedPasskey) }, 403);
  }

  /** Whose passkey has signed; null if it was refused. */
  async #signedBy(
    request: IncomingMessage,
    form: URLSearchParams,
    expected: AccountRow | null,
  ): Promise<AccountRow | null> {
    const site = this.#siteOf(request);
    const answered = { sealed: form.get("asked") ?? "", answer: form.get("answer") ?? "" };
    const signIn =
      site === null
        ? ({ is: "refused", why: "the address of the service has no passkeys" } as const)
        : await this.#rooms.passkeys.signIn(answered, site, expected);
    if (signIn.is === "let in") return signIn.account;
    this.#log.warn("a passkey was refused", {
      "client.address": this.#addressOf(request),
      "error.message": signIn.why,
    });
    const by = expected === null ? "passkey" : "passkey after the right password";
    await this.#recordRefusal(request, { by }, expected);
    return null;
  }

  async #showJoining(link: string): Promise<PageAnswer> {
    const account = await this.#rooms.people.ofLink(link);
    if (account === null || account.disabledAt !== null) return this.#spentLink();
    const content = joinView({ link, email: account.email, mistakes: [] });
    return strangersPage(this.#rooms, { title: "Choose a password", content }, 200);
  }

  async #join(request: IncomingMessage, form: URLSearchParams): Promise<PageAnswer> {
    const { people } = this.#rooms;
    const link = form.get("link") ?? "";
    const account = await people.ofLink(link);
    if (account === null) return this.#spentLink();
    const again = (mistakes: readonly Mistake[], status: number): PageAnswer => {
      const content = joinView({ link, email: account.email, mistakes });
      return strangersPage(this.#rooms, { title: "Choose a password", content }, status);
    };
    try {
      const password = form.get("password") ?? "";
      refusePassword(password);
      const from = this.#addressOf(request);
      // The hash of a password costs: each link has its own tries, and what is refused before costs none.
      if (!this.#linkTries.take(from, String(account.id))) return again([triedTooOften], 429);
      const at = this.#rooms.clock.wall();
      const actor = { kind: "person", name: account.name, from, at } as const;
      const joined = await actingAs(actor, () => people.join(link, password));
      if (joined === null) return this.#spentLink();
      // A link alone does not stand in for the second factor.
      if (hasFactor(joined)) return seeOther(passwordChangedPath(this.#rooms.box, joined.email));
      return await this.#letIn(request, joined, "/?notice=joined", "link for a new password");
    } catch (error) {
      return again(mistakesOf(error), 400);
    }
  }

  #spentLink(): PageAnswer {
    return strangersPage(
      this.#rooms,
      {
        title: "This link has ended",
        content: spentLinkView(this.#rooms.passwordAsks.isOffered),
      },
      404,
    );
  }

  async #letIn(
    request: IncomingMessage,
    account: AccountRow,
    next: string,
    by: string,
  ): Promise<PageAnswer> {
    const { name } = account;
    const person = { who: whoOf(account.id), name, actor: { kind: "person", name } } as const;
    await this.#rooms.signIns.signedIn(person, by, this.#addressOf(request));
    const cookie = sessionCookieText(this.#sessions.ofAccount(account), isSecure(request));
    return seeOther(next, { "set-cookie": cookie });
  }

  #recordRefusal(
    request: IncomingMessage,
    { by, typed = "" }: { readonly by: string; readonly typed?: string },
    account: AccountRow | null,
  ): Promise<void> {
    const from = this.#addressOf(request);
    const person = account === null ? null : { who: whoOf(account.id), name: account.name };
    return this.#rooms.signIns.refused({ by, typed: typed || (person?.who ?? ""), from, person });
  }

  async #codePage(
    request: IncomingMessage,
    { account, next, wrong }: SecondStep,
    status: number,
  ): Promise<PageAnswer> {
    const until = after(this.#rooms.clock.wall(), limits.factorWithin);
    const half = this.#rooms.box.seal(
      `${account.id} ${until} ${markOf(account.password)}`,
      halfPurpose,
    );
    const site = this.#siteOf(request);
    const passkey = site === null ? null : await this.#rooms.passkeys.secondStep(account, site);
    const content = codeView({ next, half, wrong, passkey, hasApp: account.sealed !== "" });
    return strangersPage(this.#rooms, { title: "Second factor", content }, status);
  }

  /** Whoever has shown the password not long ago, if it is still the password. */
  async #halfSignedIn(half: string): Promise<AccountRow | null> {
    const { box, clock, store } = this.#rooms;
    const [id = "", until = "", mark] = box.open(half, halfPurpose)?.split(" ") ?? [];
    if (!(Number(until) > clock.wall())) return null;
    const account = await store.people.accounts.get(personId(Number(id)));
    if (account === null || account.disabledAt !== null || account.password === "") return null;
    return markOf(account.password) === mark ? account : null;
  }

  #logRefusal(request: IncomingMessage, what: string): void {
    this.#log.warn(what, { "client.address": this.#addressOf(request) });
  }

  #page(request: IncomingMessage, said: SignInState, status: number): Promise<PageAnswer> {
    return signInPage(this.#rooms, { ...said, site: this.#siteOf(request) }, status);
  }

  #siteOf(request: IncomingMessage): PasskeySite | null {
    return passkeySite(serviceAddress(request, this.#rooms.publicAddress.url));
  }

  #addressOf(request: IncomingMessage): string {
    return readersAddress(request, this.#trustedProxies);
  }
}

const codePath = "/sign-in/code";
const halfPurpose = "half a sign-in";

const triedTooOften: Mistake = {
  field: "password",
  message: "was sent too often: wait a minute, then try again",
};

const refusedPasskey =
  "That passkey was not taken. Try again; if it was removed, or is for another address, use another way.";

interface SecondStep {
  readonly account: AccountRow;
  readonly next: string;
  readonly wrong: string | null;
}
