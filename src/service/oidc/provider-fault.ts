import * as limits from "#limits/pages-limits";
import { shownName } from "#base/text";

/** How the identity provider is called in sentences. */
export const providerLabel = "the identity provider";

/** Why no one signs in by the provider, in a sentence without secrets. */
export class ProviderFault extends Error {
  override readonly name = "ProviderFault";
}

/** What is wrong, for the person at the page and for the log. */
export function providerFault(error: unknown): ProviderFault {
  const chain = causesOf(error);
  const own = chain.find((one) => one instanceof ProviderFault);
  if (own !== undefined) return own;
  // What the provider says itself says more than what the library made of it.
  const [word] = chain.flatMap((one) => textAt(one, "error"));
  if (word !== undefined)
    return new ProviderFault(refusals[word] ?? `${providerLabel} refuses: ${shownWord(word)}`);
  const [code = "no code"] = chain.flatMap((one) => textAt(one, "code"));
  return new ProviderFault(
    faults[code] ?? `${providerLabel} answers what cannot be used (${shownWord(code)})`,
  );
}

const causesOf = (error: unknown): readonly Error[] =>
  Error.isError(error) ? [error, ...causesOf(error.cause)] : [];

const textAt = (error: Error, name: "error" | "code"): readonly string[] => {
  const value: unknown = Reflect.get(error, name);
  return typeof value === "string" ? [value] : [];
};

/** What may come from anywhere is shown as one short word. */
const shownWord = (word: string): string => shownName(word, limits.providerErrorCharsMax);

const credentials =
  "correct PICKET_SERVICE_OIDC_CLIENT_ID and PICKET_SERVICE_OIDC_CLIENT_SECRET, or the client at the provider";

/** RFC 6749 §4.1.2.1 and §5.2, and OpenID Connect Core §3.1.2.6. */
const refusals: Readonly<Record<string, string>> = {
  access_denied: `${providerLabel} did not let this person in: access_denied`,
  invalid_client: `${providerLabel} does not take the service's client: ${credentials}`,
  unauthorized_client: `${providerLabel} does not let this client sign people in: ${credentials}`,
  invalid_grant: `${providerLabel} does not take its own code any more: begin again; if it happens each time, compare its clock with the service's`,
  invalid_scope: `${providerLabel} does not know a scope: correct PICKET_SERVICE_OIDC_SCOPES`,
  temporarily_unavailable: `${providerLabel} is overloaded or in maintenance: try again later`,
  server_error: `${providerLabel} has a fault: server_error`,
};

const issuer = "PICKET_SERVICE_OIDC_ISSUER";

/** What the library found in an answer, by its codes. */
const faults: Readonly<Record<string, string>> = {
  OAUTH_RESPONSE_IS_NOT_CONFORM: `${providerLabel} does not answer as OpenID Connect says: check that ${issuer} is its issuer URL`,
  OAUTH_RESPONSE_IS_NOT_JSON: `${providerLabel} does not answer with JSON: check that ${issuer} is its issuer URL`,
  OAUTH_PARSE_ERROR: `${providerLabel} does not answer with JSON: check that ${issuer} is its issuer URL`,
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: `${providerLabel} has another name than ${issuer}: set it exactly as the provider writes it, its last slash included`,
  OAUTH_MISSING_SERVER_METADATA: `${providerLabel} does not say where its endpoints are: check that ${issuer} is its issuer URL`,
  OAUTH_INVALID_SERVER_METADATA: `${providerLabel} does not say where its endpoints are: check that ${issuer} is its issuer URL`,
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: `${providerLabel} and the service have different times: correct the clock that is wrong`,
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: `${providerLabel} sent a token that is for another client or another sign-in: begin again`,
  OAUTH_WWW_AUTHENTICATE_CHALLENGE: `${providerLabel} refuses the service's own requests: ${credentials}`,
  OAUTH_KEY_SELECTION_FAILED: `${providerLabel} signed with a key that it does not publish`,
  OAUTH_HTTP_REQUEST_FORBIDDEN: `${providerLabel} has an endpoint without https`,
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: `${providerLabel} has an endpoint without https`,
  OAUTH_INVALID_RESPONSE: `${providerLabel} sent an answer that does not belong to this sign-in: begin again`,
};
