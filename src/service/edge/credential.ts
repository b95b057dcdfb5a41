import { createHash, randomBytes } from "node:crypto";

/*
 * Tokens and keys are 256 random bits: no one guesses them, so a plain SHA-256 at rest is enough, where a password
 * would need a slow hash. They are looked up by their hash, so no comparison can tell how much of a guess was right.
 */

/**
 * A secret that says by its prefix what it is for: `pkt_loc_…` is a location's token, `pkt_key_…` an API key, and
 * `pkt_link_…` a part of the link with which a person chooses a password.
 */
export const newCredential = (kind: "loc" | "key" | "link"): string =>
  `pkt_${kind}_${randomBytes(32).toString("base64url")}`;

export const hashCredential = (credential: string): string =>
  createHash("sha256").update(credential).digest("base64url");

export const keyPrefix = "pkt_key_";

/** Whether a text may be an API key; no password begins so. */
export const isLikeKey = (secret: string): boolean => secret.startsWith(keyPrefix);
