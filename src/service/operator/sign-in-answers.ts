import type { IncomingMessage } from "node:http";
import * as limits from "#limits/pages-limits";
import type { Logger } from "#base/log";
import { changedName, keptAddressIn } from "#service/operator/forgotten/kept-address";
import { isLikeKey } from "#service/edge/credential";
import type { OidcProvider } from "#service/oidc/oidc-provider";
import { htmlAnswer, lineAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import type { Block } from "#network/address-block";
import { AccountSignIn } from "#service/operator/account-sign-in";
import { Forgotten } from "#service/operator/forgotten/forgotten-answers";
import { fault, signInPage, startPath, tooOften } from "#service/operator/sign-in-page";
import { keptFormsPath } from "#service/operator/kept-forms";
import { wantedPath } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { formIn } from "#service/edge/posted-form";
import { isFromElsewhere, isSecure } from "#service/edge/request-facts";
import { type Sessions, sessionCookieText } from "#service/operator/sessions";
import { askAgainPage, type SignInSaying } from "#service/operator/sign-in-view";
import { Tries } from "#service/edge/tries";
import { ProviderFault } from "#service/oidc/provider-fault";
import { isClientGone } from "#web/client-gone";
import { cookieIn, type CookieName, cookieText } from "#web/cookie";
import { passkeySite } from "#service/people/passkey-site";
import { serviceAddress } from "#service/operator/service-address";
import { readersAddress } from "#web/reader-address";
import { capital } from "#base/text";

/** What a request for one of these pages comes with. */
interface SignInRequest {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly isSignedIn: boolean;
  /** Ends when the reader goes away. */
  readonly signal: AbortSignal;
}

/**
 * Answers /sign-in: the forms for a key or the password, and the way to the identity provider and back. Tries are counted
 * for each of them, so that none can shut another.
 */
export class SignIn {
  readonly #rooms: PageRooms;
  readonly #sessions: Sessions;
  readonly #trustedProxies: readonly Block[];
  readonly #log: Logger;
  readonly #accounts: AccountSignIn;
  readonly #forgotten: Forgotten;
  readonly #passwordTries: Tries;
  readonly #keyTries: Tries;
  readonly #providerTries: Tries;

  constructor(rooms: PageRooms, sessions: Sessions, trustedProxies: readonly Block[], log: Logger) {
    this.#rooms = rooms;
    this.#sessions = sessions;
    this.#trustedProxies = trustedProxies;
    this.#log = log;
    this.#forgotten = new Forgotten(rooms, trustedProxies);
    this.#accounts = new AccountSignIn(rooms, sessions, trustedProxies, log);
    const { clock } = rooms;
    const perAddress = limits.signInTriesPerAddressMax;
    this.#passwordTries = new Tries(clock, { perAddress, together: limits.signInTriesMax });
    this.#keyTries = new Tries(clock, { perAddress, together: limits.keyTriesMax });
    this.#providerTries = new Tries(clock, {
      perAddress: limits.providerStepsPerAddressMax,
      together: limits.providerStepsMax,
    });
  }

  has(pathname: string): boolean {
    if (pathname === signInPath || this.#accounts.has(pathname)) return true;
    if (this.#forgotten.has(pathname)) return true;
    return this.#rooms.oidc !== null && providerPaths.has(pathname);
  }

  async answer(asked: SignInRequest): Promise<PageAnswer> {
    const { request, url } = asked;
    const { oidc } = this.#rooms;
    if (this.#accounts.has(url.pathname)) return this.#accounts.answer(request, url);
    if (this.#forgotten.has(url.pathname)) return this.#forgotten.answer(request, url);
    if (url.pathname === signInPath)
      return request.method === "POST" ? this.#takeForm(request) : this.#show(asked);
    if (oidc === null || request.method !== "GET")
      return lineAnswer(405, "Only GET is answered here.", { allow: "GET" });
    if (!this.#providerTries.take(this.#addressOf(request), url.pathname))
      return this.#page(request, wantedPath(url.searchParams.get("next")), fault(tooOften), 429);
    return url.pathname === startPath ? this.#start(oidc, asked) : this.#end(oidc, asked);
  }

  async #show({
    request,
    url: { searchParams: query },
    isSignedIn,
  }: SignInRequest): Promise<PageAnswer> {
    const next = wantedPath(query.get("next"));
    if (isSignedIn) return seeOther(next);
    if (next.startsWith(keptFormsPath))
      return this.#page(request, next, { kind: "form kept" }, 200);
    if (query.has(changedName)) {
      const email = keptAddressIn(this.#rooms.box, query);
      return this.#page(request, next, { kind: "password-changed", email }, 200);
    }
    const kind = query.has("signed-out") ? "signed-out" : "nothing";
    return this.#page(request, next, { kind }, 200);
  }

  async #takeForm(request: IncomingMessage): Promise<PageAnswer> {
    const form = await formIn(request);
    if (form === null || isFromElsewhere(request)) return lineAnswer(403, "This form is not ours.");
    if (form.has("email")) return this.#accounts.takePassword(request, form);
    const next = wantedPath(form.get("next"));
    const address = this.#addressOf(request);
    const secret = form.get("secret") ?? "";
    const tries = isLikeKey(secret) ? this.#keyTries : this.#passwordTries;
    if (!tries.take(address)) return this.#page(request, next, fault(tooOften), 429);
    const started = await this.#sessions.signIn(secret);
    const by = isLikeKey(secret) ? "API key" : "the service's password";
    if (started !== null) {
      await this.#rooms.signIns.signedIn(started.signedIn, by, address);
      return seeOther(next, { "set-cookie": sessionCookieText(started, isSecure(request)) });
    }
    this.#log.warn("a person could not sign in", { "client.address": address });
    await this.#rooms.signIns.refused({ by, from: address, typed: "", person: null });
    return this.#page(
      request,
      next,
      fault("That is neither a valid API key nor the password."),
      403,
    );
  }

  /** To the identity provider. */
  async #start(oidc: OidcProvider, { request, url, signal }: SignInRequest): Promise<PageAnswer> {
    const next = wantedPath(url.searchParams.get("next"));
    try {
      const start = await oidc.start(next, signal);
      return seeOther(start.url, { "set-cookie": startedCookieText(start.cookie, request) });
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      return this.#refuse(request, { fault: error.message, next, status: 502 });
    }
  }

  /** Back from the identity provider. */
  async #end(oidc: OidcProvider, { request, url, signal }: SignInRequest): Promise<PageAnswer> {
    const cookie = cookieIn(request.headers.cookie, startedCookie, isSecure(request));
    const end = await oidc.end(url.search, cookie, signal);
    switch (end.kind) {
      case "let in": {
        const started = this.#sessions.ofPerson(end.person, oidc);
        const session = sessionCookieText(started, isSecure(request));
        await this.#rooms.signIns.signedIn(started.signedIn, provider, this.#addressOf(request));
        // The provider led here, so a redirect would bring no cookie; a page of ours does.
        return { ...htmlAnswer(askAgainPage(end.next)), headers: { "set-cookie": session } };
      }
      case "refused":
        return this.#refuse(request, { ...end, status: 403 });
      case "broken":
        return this.#refuse(request, { ...end, status: 502 });
    }
  }

  async #refuse(
    request: IncomingMessage,
    { fault: why, next, status }: { fault: string; next: string; status: number },
  ): Promise<PageAnswer> {
    if (!isClientGone(request)) {
      const from = this.#addressOf(request);
      this.#log.warn(`a person could not sign in: ${why}`, { "client.address": from });
      await this.#rooms.signIns.refused({ by: provider, from, typed: "", person: null });
    }
    return this.#page(request, next, fault(`${capital(why)}.`), status);
  }

  /** Behind proxies of ours each person has their own tries. */
  #addressOf(request: IncomingMessage): string {
    return readersAddress(request, this.#trustedProxies);
  }

  #page(
    request: IncomingMessage,
    next: string,
    saying: SignInSaying,
    status: number,
  ): Promise<PageAnswer> {
    const site = passkeySite(serviceAddress(request, this.#rooms.publicAddress.url));
    return signInPage(this.#rooms, { next, saying, site }, status);
  }
}

/** What the audit log calls the way by OpenID Connect. */
const provider = "the identity provider";

const signInPath = "/sign-in";
const callbackPath = "/sign-in/callback";
const providerPaths: ReadonlySet<string> = new Set([startPath, callbackPath]);

/** Where the provider sends people back to. */
export const callbackUrlAt = (publicUrl: string): string => new URL(callbackPath, publicUrl).href;

/** For the whole host: a neighbour who could put theirs in its place would sign a person in as someone else. */
const startedCookie: CookieName = { name: "picket-sign-in", path: "/" };

/** Lax: it has to come with the browser that the provider sends back. */
const startedCookieText = (value: string, request: IncomingMessage): string =>
  cookieText(
    { ...startedCookie, value, sameSite: "Lax", length: limits.signInWithin },
    isSecure(request),
  );
