import { type Bytes, hours, kibibytes, type Millis } from "#base/units";

/* Signatures of monitors, and the keys that they are made and trusted by. */

/** Keys that an agent trusts: each is compared with each signature, and a person has to be able to read the list. */
export const trustedKeysMax = 100;
/** That many lines with long comments; what is larger is the wrong file. */
export const trustedKeysBytesMax: Bytes = kibibytes(64);
/** A private key of Ed25519 has half a kilobyte. */
export const privateKeyBytesMax: Bytes = kibibytes(16);
/** A signature names all locations of a monitor; as many names of the longest fit into it. */
export const signatureCharsMax = 16_384;
/** As many locations as one signature may be for. */
export const signedLocationsMax = 50;
/** Of the locations that a signature is for, in a reason: they were not verified, and a reason is read by a person. */
export const locationsShownCharsMax = 200;
/** A signature from so far ahead of the agent's clock would make all later ones look old. */
export const signedAheadMax: Millis = hours(24);
/** Monitors whose newest signature an agent remembers: twice as many as it may run, at about 100 bytes each. */
export const signedTimesMax = 20_000;
/** Signatures verified before others have their turn, at some 100 µs each. */
export const signaturesVerifiedAtOnce = 50;
