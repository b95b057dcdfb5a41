import type { ServiceReason } from "#transport/control-plane";

/** A failure to reach the service, for an operator: the fact, and the next step. Both are parts of a sentence. */
interface ServiceTrouble {
  readonly fact: string;
  readonly nextStep: string;
}

/** What a failure means and what to do about it; `proxied` where a proxy leads to the service. */
export const serviceTrouble = (
  reason: ServiceReason,
  { proxied }: { readonly proxied: boolean },
): ServiceTrouble =>
  troubles[reason] ?? {
    fact: "the service cannot be reached",
    nextStep: proxied ? checkProxy : checkRoute,
  };

const checkProxy =
  "check PICKET_SERVICE_PROXY or HTTPS_PROXY, and that the proxy may reach the service (PICKET_NO_PROXY bypasses it)";
const checkRoute =
  "check SERVICE_API_URL, that its name resolves here, and that a firewall lets this machine out to it, or set PICKET_SERVICE_PROXY";

const refusedToken: ServiceTrouble = {
  fact: "the service refuses the token",
  nextStep:
    "put this location's token into PICKET_TOKEN_FILE, which is read again without a restart, or into PICKET_TOKEN, and check PICKET_TOKEN_HEADER",
};

/** Null if only the way to the service can be at fault. */
const troubles: { readonly [R in ServiceReason]: ServiceTrouble | null } = {
  unauthenticated: refusedToken,
  forbidden: refusedToken,
  untrusted: {
    fact: "the service's certificate is not trusted",
    nextStep: "set PICKET_CA_FILE to the CA that signed it, as a PEM file",
  },
  identity: {
    fact: "the service does not accept our client certificate",
    nextStep: "check PICKET_CLIENT_CERT_FILE and PICKET_CLIENT_KEY_FILE",
  },
  proxy: { fact: "the service cannot be reached through its proxy", nextStep: checkProxy },
  oversized: {
    fact: "the service's answer is refused: it is larger than an agent takes",
    nextStep:
      "assign fewer monitors to this location, divide them among several locations, or run another agent here that shares them",
  },
  rejected: null,
  not_found: null,
  rate_limited: null,
  not_yet: null,
  unsupported: null,
  internal: null,
  unavailable: null,
  timeout: null,
  garbage: null,
  cancelled: null,
};
