import { hash as hashOnce } from "node:crypto";

/* A list of which nothing can be taken out or changed unseen: the head of its chain stands for all of it. */

/** The head of an empty list. */
export const emptyChain = "";

export const hashOfText = (text: string): string => hashOnce("sha256", text, "base64url");

/** The head after one more element, of which only the hash is needed: so a list can be proven without being shown. */
export const chainAfter = (head: string, hash: string): string => hashOfText(`${head}\n${hash}`);
