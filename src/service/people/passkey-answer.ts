import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { isMapping } from "#base/json";
import * as limits from "#limits/pages-limits";

/** What a browser answered, as the script of the page sent it; null for anything else. */
type BrowserAnswer = Readonly<Record<"id" | "type", string>> & {
  readonly response: Readonly<Record<string, unknown>>;
};

/** A passkey that was made. */
export function madePasskeyIn(text: string): RegistrationResponseJSON | null {
  const answered = answeredIn(text);
  if (answered === null) return null;
  const { id, response } = answered;
  const { clientDataJSON, attestationObject, transports } = response;
  if (typeof clientDataJSON !== "string" || typeof attestationObject !== "string") return null;
  const ways: readonly unknown[] = Array.isArray(transports) ? transports : [];
  return {
    id,
    rawId: id,
    type: "public-key",
    clientExtensionResults: {},
    response: {
      clientDataJSON,
      attestationObject,
      transports: ways.filter((one) => typeof one === "string" && way.test(one)).map(String),
    },
  };
}

/** A challenge that a passkey has signed. */
export function signedChallengeIn(text: string): AuthenticationResponseJSON | null {
  const answered = answeredIn(text);
  if (answered === null) return null;
  const { id, response } = answered;
  const { clientDataJSON, authenticatorData, signature } = response;
  if (typeof clientDataJSON !== "string" || typeof authenticatorData !== "string") return null;
  if (typeof signature !== "string") return null;
  return {
    id,
    rawId: id,
    type: "public-key",
    clientExtensionResults: {},
    response: { clientDataJSON, authenticatorData, signature },
  };
}

function answeredIn(text: string): BrowserAnswer | null {
  if (text.length > limits.passkeyAnswerCharsMax) return null;
  const answered = jsonIn(text);
  if (!isMapping(answered)) return null;
  const { id, type, response } = answered;
  if (typeof id !== "string" || type !== "public-key" || !isMapping(response)) return null;
  return { id, type, response };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The words of https://w3.org/TR/webauthn-3/#enum-transport, and those that come later. */
const way = /^[a-z-]{1,20}$/;
