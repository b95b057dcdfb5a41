import { generateKeyPairSync } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type Adapter, type AdapterPayload, Provider } from "oidc-provider";
import { onTestFinished } from "vitest";
import type { OidcSettings } from "#service/oidc/oidc-provider";
import { listenLocally } from "../servers/listen-locally.ts";

/** A person of the provider's: what it says of them beside their id. */
export type ProviderClaims = Readonly<Record<string, unknown>>;

export interface IdentityProvider {
  readonly issuer: string;
  /** Settings of a service that is registered there; its address is known once it listens. */
  readonly settingsFor: (
    service: () => string,
    rules: Partial<OidcSettings["rules"]>,
  ) => ChangingSettings;
  /** Registers the service, and knows these people by their ids. The first one is signed in without being asked. */
  readonly open: (callbackUrl: string, people: Readonly<Record<string, ProviderClaims>>) => void;
  /** From now on nothing listens at its address. */
  readonly close: () => void;
}

/** Settings that a test changes while the service runs, as a restart would. */
export type ChangingSettings = { -readonly [N in keyof OidcSettings]: OidcSettings[N] };

const client = { id: "picket", secret: "planted client secret" };

/** A real OpenID provider on this machine, by a name that is another site to browsers than the service's address. */
export async function identityProvider(): Promise<IdentityProvider> {
  let answers = (_request: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(503).end();
  };
  const server = createServer((request, response) => answers(request, response));
  const port = await listenLocally(server);
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  onTestFinished(close);
  const issuer = `http://localhost:${port}`;
  return {
    issuer,
    settingsFor: (service, rules) => ({
      issuer,
      clientId: client.id,
      clientSecret: client.secret,
      scopes: "openid email profile",
      groupsClaim: "groups",
      rules: { reader: [], responder: [], editor: [], owner: [], ...rules },
      get callbackUrl() {
        return `${service()}/sign-in/callback`;
      },
    }),
    open: (callbackUrl, people) => {
      answers = providerAt(issuer, callbackUrl, people);
    },
    close,
  };
}

function providerAt(
  issuer: string,
  callbackUrl: string,
  people: Readonly<Record<string, ProviderClaims>>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [callbackUrl],
        grant_types: ["authorization_code"],
        response_types: ["code"],
        id_token_signed_response_alg: "ES256",
      },
    ],
    cookies: { keys: ["of a test"] },
    adapter: Memory,
    ttl: Object.fromEntries(
      ["Interaction", "Grant", "Session", "AccessToken", "IdToken", "AuthorizationCode"].map(
        (kind) => [kind, 3_600],
      ),
    ),
    jwks: { keys: [signingKey()] },
    claims: {
      openid: ["sub"],
      email: ["email", "email_verified"],
      profile: ["name", "groups"],
    },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people[id] }),
    }),
    // Whoever is signed in has agreed to all that the service asks for.
    loadExistingGrant: async (context) => {
      const grant = new context.oidc.provider.Grant({
        clientId: client.id,
        accountId: context.oidc.session?.accountId,
      });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  const answer = provider.callback();
  const [first = ""] = Object.keys(people);
  return (request, response) => {
    if (request.url?.startsWith("/interaction/") !== true) return void answer(request, response);
    const result = first === "" ? { error: "access_denied" } : { login: { accountId: first } };
    void provider.interactionFinished(request, response, result);
  };
}

const signingKey = () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { ...privateKey.export({ format: "jwk" }), kty: "EC", use: "sig", alg: "ES256" };
};

/** What one provider keeps of each kind, gone with it. */
class Memory implements Adapter {
  readonly #kept = new Map<string, AdapterPayload>();

  upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.#kept.set(id, payload);
    return Promise.resolve();
  }
  find(id: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve(this.#kept.get(id));
  }
  findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return Promise.resolve([...this.#kept.values()].find((one) => one.uid === uid));
  }
  findByUserCode(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
  consume(id: string): Promise<void> {
    const payload = this.#kept.get(id);
    if (payload !== undefined) payload.consumed = true;
    return Promise.resolve();
  }
  destroy(id: string): Promise<void> {
    this.#kept.delete(id);
    return Promise.resolve();
  }
  revokeByGrantId(grantId: string): Promise<void> {
    for (const [id, payload] of this.#kept) if (payload.grantId === grantId) this.#kept.delete(id);
    return Promise.resolve();
  }
}
