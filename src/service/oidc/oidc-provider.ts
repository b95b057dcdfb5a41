import type * as OpenIdClient from "openid-client";
import type { Clock } from "#base/clock";
import { type Deadline, startDeadline } from "#base/deadline";
import { peerClock } from "#base/peer-clock";
import * as alertsLimits from "#limits/alerts-limits";
import * as limits from "#limits/pages-limits";
import type { HttpPost } from "#service/notify/http-post";
import { isThisMachine } from "#network/listen-address";
import { type PeopleRules, type Person, personOf, ruleFor } from "#service/oidc/people-rules";
import { ProviderFault, providerFault } from "#service/oidc/provider-fault";
import { fetchWithin } from "#service/oidc/provider-fetch";
import { type SignInStart, StartedSignIns } from "#service/oidc/started-sign-ins";
import type { SecretBox } from "#service/edge/secret-box";

/** The identity provider that people may sign in with, and who of them may do what. */
export interface OidcSettings {
  /** Exactly as the provider writes it. */
  readonly issuer: string;
  readonly clientId: string;
  /** Null is a public client. */
  readonly clientSecret: string | null;
  readonly scopes: string;
  readonly groupsClaim: string;
  readonly rules: PeopleRules;
  /** Where the provider sends people back to: the service's callback, as people reach it. */
  readonly callbackUrl: string;
}

/** A person whom the provider knows and a rule lets in. */
export interface SignedPerson {
  readonly name: string;
  readonly rule: string;
}

/** How a sign-in ended. */
type SignInEnd =
  | { readonly kind: "let in"; readonly person: SignedPerson; readonly next: string }
  | { readonly kind: "refused"; readonly fault: string; readonly next: string }
  | { readonly kind: "broken"; readonly fault: string; readonly next: string };

interface ProviderRooms {
  readonly box: SecretBox;
  readonly clock: Clock;
  readonly http: Pick<HttpPost, "exchange">;
}

/**
 * Signs people in by OpenID Connect: an authorization code with PKCE, state and nonce. The provider is asked for its
 * endpoints and keys at each step, for a sign-in is rare, and what is wrong with it then shows at once.
 */
export class OidcProvider {
  readonly settings: OidcSettings;
  readonly #rooms: ProviderRooms;
  readonly #started: StartedSignIns;

  constructor(settings: OidcSettings, rooms: ProviderRooms) {
    this.settings = settings;
    this.#rooms = rooms;
    this.#started = new StartedSignIns(rooms);
  }

  /** What the provider is called on pages. */
  get host(): string {
    return new URL(this.settings.issuer).host;
  }

  /** Where the browser is sent, and what it keeps meanwhile. Throws a ProviderFault. */
  async start(next: string, signal: AbortSignal): Promise<SignInStart> {
    return this.#step(signal, async (client, configuration) => {
      const verifier = client.randomPKCECodeVerifier();
      const started = { state: client.randomState(), nonce: client.randomNonce(), verifier, next };
      const url = client.buildAuthorizationUrl(configuration, {
        redirect_uri: this.settings.callbackUrl,
        scope: this.settings.scopes,
        state: started.state,
        nonce: started.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, cookie: this.#started.sealed(started) };
    });
  }

  /** Takes the answer with which the provider sent the browser back. */
  async end(query: string, cookie: string | null, signal: AbortSignal): Promise<SignInEnd> {
    const started = cookie === null ? null : this.#started.opened(cookie);
    if (started === null) return { kind: "refused", fault: notStarted, next: "/" };
    const { next, state, nonce, verifier } = started;
    try {
      const person = await this.#step(signal, async (client, configuration) => {
        const tokens = await client.authorizationCodeGrant(
          configuration,
          new URL(`${this.settings.callbackUrl}${query}`),
          {
            expectedState: state,
            expectedNonce: nonce,
            pkceCodeVerifier: verifier,
            idTokenExpected: true,
          },
        );
        return this.#personOf(client, configuration, tokens);
      });
      const rule = ruleFor(person, this.settings.rules);
      if (rule === null) return { kind: "refused", fault: refusalOf(person), next };
      return { kind: "let in", person: { name: person.name, rule }, next };
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error;
      return { kind: "broken", fault: error.message, next };
    }
  }

  /** Many providers say groups and addresses at their userinfo endpoint only. */
  async #personOf(
    client: typeof OpenIdClient,
    configuration: OpenIdClient.Configuration,
    tokens: Awaited<ReturnType<typeof OpenIdClient.authorizationCodeGrant>>,
  ): Promise<Person> {
    const claims = tokens.claims();
    if (claims === undefined) throw new ProviderFault(noIdToken);
    const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more = hasMore
      ? [await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)]
      : [];
    return personOf([claims, ...more], this.settings.groupsClaim);
  }

  /** One step of a sign-in: all that it asks the provider has one deadline. */
  async #step<T>(
    signal: AbortSignal,
    work: (client: typeof OpenIdClient, configuration: OpenIdClient.Configuration) => Promise<T>,
  ): Promise<T> {
    // A service without a provider needs none of it.
    const client = await import("openid-client");
    using deadline = startDeadline(
      peerClock(this.#rooms.clock),
      alertsLimits.notifyTimeout,
      signal,
    );
    try {
      return await work(client, await this.#discovered(client, deadline));
    } catch (error) {
      throw providerFault(error);
    }
  }

  #discovered(
    client: typeof OpenIdClient,
    deadline: Deadline,
  ): Promise<OpenIdClient.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const url = new URL(issuer);
    // The signature of a token is checked too, although TLS has shown already whose it is.
    const execute = [client.enableNonRepudiationChecks];
    // eslint-disable-next-line typescript/no-deprecated -- it is so only to be noticed: no one is on the way on this machine.
    if (isThisMachine(url.hostname)) execute.push(client.allowInsecureRequests);
    return client.discovery(url, clientId, {}, authentication(client, clientSecret), {
      execute,
      [client.customFetch]: fetchWithin(this.#rooms.http, deadline),
    });
  }
}

/** By the Authorization header, as OpenID Connect has it by default, or in the body where the provider wants only that. */
function authentication(
  client: typeof OpenIdClient,
  secret: string | null,
): OpenIdClient.ClientAuth {
  if (secret === null) return client.None();
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const takesHeader = methods.includes("client_secret_basic");
    const authenticate = takesHeader ? client.ClientSecretBasic : client.ClientSecretPost;
    authenticate(secret)(server, ...rest);
  };
}

const notStarted = `this sign-in was started in another browser, or more than ${limits.signInWithin / 60_000} minutes ago: start again`;
const noIdToken = "the identity provider sent no ID token: it does not speak OpenID Connect";

/** A name keeps its own letters, so no sentence begins with one. */
const refusalOf = ({ name, hasUnverifiedMail }: Person): string =>
  hasUnverifiedMail
    ? `the identity provider does not say that the e-mail address of ${name} is verified, so no rule for addresses lets this person sign in`
    : `no rule of this service lets ${name} sign in`;
