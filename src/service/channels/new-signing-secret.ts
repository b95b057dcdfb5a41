import { randomBytes } from "node:crypto";

/** 32 bytes, by the Standard Webhooks convention. */
export const newSigningSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;
