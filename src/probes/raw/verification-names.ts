/** What OpenSSL's verification found, by the runtime's name for it; null if it found nothing. */
export const verificationName = (result: number): string | null =>
  result === 0 ? null : (names[result] ?? "UNSPECIFIED");

/** By the numbers of openssl/x509_vfy.h, as far as the runtime has names: those of revocation lists never come. */
const names: Readonly<Record<number, string>> = {
  2: "UNABLE_TO_GET_ISSUER_CERT",
  4: "UNABLE_TO_DECRYPT_CERT_SIGNATURE",
  6: "UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY",
  7: "CERT_SIGNATURE_FAILURE",
  9: "CERT_NOT_YET_VALID",
  10: "CERT_HAS_EXPIRED",
  13: "ERROR_IN_CERT_NOT_BEFORE_FIELD",
  14: "ERROR_IN_CERT_NOT_AFTER_FIELD",
  17: "OUT_OF_MEM",
  18: "DEPTH_ZERO_SELF_SIGNED_CERT",
  19: "SELF_SIGNED_CERT_IN_CHAIN",
  20: "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  21: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  22: "CERT_CHAIN_TOO_LONG",
  25: "PATH_LENGTH_EXCEEDED",
  26: "INVALID_PURPOSE",
  27: "CERT_UNTRUSTED",
  28: "CERT_REJECTED",
  62: "HOSTNAME_MISMATCH",
  79: "INVALID_CA",
};
