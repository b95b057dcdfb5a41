/** What is wrong with a peer's certificate: `words` complete "the certificate is not trusted: …", `next` is what to do. */
interface CertificateFault {
  readonly words: string;
  readonly next: string;
}

/** What OpenSSL found in a verification, by Node's name for it; null if the code is none of its results. */
export function certificateFault(code: string): CertificateFault | null {
  const fault = faults[code];
  if (fault !== undefined) return fault;
  return verification.test(code)
    ? {
        words: `OpenSSL says "${code.toLowerCase().replaceAll("_", " ")}"`,
        next: "check the chain with openssl s_client -showcerts",
      }
    : null;
}

/** Names of the other results, those of revocation lists among them, which nothing here configures. */
const verification =
  /^(UNABLE_TO_|CERT_|CRL_|INVALID_|ERROR_IN_|PATH_LENGTH_|SUBJECT_|AKID_|KEYUSAGE_)/;

const unreadable: CertificateFault = {
  words: "a certificate in its chain cannot be read",
  next: "have it issued again",
};

/** OpenSSL's x509_vfy.h, as far as a verification without revocation lists gives it. */
const faults: Readonly<Record<string, CertificateFault>> = {
  CERT_HAS_EXPIRED: { words: "it, or one that it depends on, has expired", next: "renew it" },
  CERT_NOT_YET_VALID: {
    words: "it, or one that it depends on, is not valid yet",
    next: "check this machine's clock",
  },
  DEPTH_ZERO_SELF_SIGNED_CERT: {
    words: "it is self-signed",
    next: "set PICKET_CA_FILE to it, or have an authority sign it",
  },
  SELF_SIGNED_CERT_IN_CHAIN: {
    words: "its chain ends at a root that is not trusted here",
    next: "set PICKET_CA_FILE to that root",
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: {
    words: "its issuer is not trusted here, and the peer does not send the issuer's certificate",
    next: "have the peer send its intermediate certificate, or set PICKET_CA_FILE to the issuer",
  },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    words: "its chain stops at an issuer that is not trusted here",
    next: "have the peer send the rest of its chain, or set PICKET_CA_FILE to the issuer",
  },
  UNABLE_TO_GET_ISSUER_CERT: {
    words: "PICKET_CA_FILE has an authority of its chain without that authority's own issuer",
    next: "add the issuer to PICKET_CA_FILE",
  },
  CERT_SIGNATURE_FAILURE: {
    words: "a signature in its chain is wrong",
    next: "have it issued again, and check whether its issuer was replaced under the same name",
  },
  UNABLE_TO_DECRYPT_CERT_SIGNATURE: unreadable,
  UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: unreadable,
  ERROR_IN_CERT_NOT_BEFORE_FIELD: unreadable,
  ERROR_IN_CERT_NOT_AFTER_FIELD: unreadable,
  INVALID_CA: {
    words: "a certificate in its chain signs others but is not a CA",
    next: "have it issued by an authority",
  },
  PATH_LENGTH_EXCEEDED: {
    words: "its chain is longer than one of its authorities allows",
    next: "have it issued by an authority nearer to the root",
  },
  CERT_CHAIN_TOO_LONG: {
    words: "its chain has too many certificates",
    next: "have the peer send only its own chain",
  },
  INVALID_PURPOSE: {
    words: "a certificate in its chain is not made for this use",
    next: "have it issued for servers (extended key usage serverAuth), by an authority",
  },
  CERT_UNTRUSTED: {
    words: "its root is not trusted for servers",
    next: "set PICKET_CA_FILE to a root that is",
  },
  CERT_REJECTED: {
    words: "its root is marked as untrusted",
    next: "have it issued by another authority",
  },
  // All that Node has no name for: in practice a short key or a weak signature.
  UNSPECIFIED: {
    words: "a key or a signature in its chain is too weak, or breaks another rule of OpenSSL",
    next: "have it issued again with a key of at least 2048 bits and SHA-256",
  },
};
