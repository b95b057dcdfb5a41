import { X509Certificate } from "node:crypto";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";

/**
 * Whom TLS checks believe, and the client certificate that a peer gets who asks for one. One SecureContext for each
 * distinct trust, made at its first use and kept: parsing a CA bundle for each connection would cost milliseconds.
 */
export interface Trust {
  secureContext(): SecureContext;
  /** The authorities that are believed, as PEM; null if a client certificate goes with them. */
  onlyAuthorities(): readonly string[] | null;
}

/** What trust is made of. Plain values, which are copied to the probe threads; the key is a secret. */
export interface TrustMaterial {
  /** PEM authorities in addition to the system's. */
  readonly authorities: string | null;
  readonly identity: ClientIdentity | null;
}

/** Who we are for a peer that asks, as PEM: the certificate, with those of its chain behind it, and its key. */
interface ClientIdentity {
  readonly certificate: string;
  readonly key: string;
}

/** Throws as `certificatesIn` does. */
export function systemTrust({ authorities, identity }: TrustMaterial): Trust {
  if (authorities === null && identity === null) return machineTrust;
  const extra = authorities === null ? [] : certificatesIn(authorities);
  return lazyTrust(() => [...systemAuthorities(), ...extra], identity);
}

/**
 * The certificates of a PEM text. Throws a sentence when it holds none, or one that cannot be read: OpenSSL would pass
 * over it in silence, and every check would fail for a reason that is shown nowhere.
 */
export function certificatesIn(pem: string): readonly string[] {
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
  if (blocks.length === 0) throw new Error("holds no PEM certificate");
  blocks.forEach((block, index) => {
    if (!isCertificate(block))
      throw new Error(`holds a certificate that cannot be read (number ${index + 1})`);
  });
  return blocks;
}

function isCertificate(block: string): boolean {
  try {
    return new X509Certificate(block).raw.length > 0;
  } catch {
    return false;
  }
}

/** Only the authorities of a PEM text. */
export function onlyTrust(pem: string): Trust {
  return lazyTrust(() => certificatesIn(pem), null);
}

function lazyTrust(authorities: () => readonly string[], identity: ClientIdentity | null): Trust {
  let made: SecureContext | null = null;
  const ours = identity === null ? {} : { cert: identity.certificate, key: identity.key };
  return {
    onlyAuthorities: () => (identity === null ? authorities() : null),
    secureContext: () =>
      (made ??= createSecureContext({ ca: [...authorities()], ...ours, minVersion: "TLSv1.2" })),
  };
}

/** Without its own material every trust of a process is the same, and is made once: it holds all authorities of the machine. */
const machineTrust: Trust = lazyTrust(systemAuthorities, null);

/** An image without a CA store falls back on Node's own copy of Mozilla's; NODE_EXTRA_CA_CERTS counts in both. */
function systemAuthorities(): readonly string[] {
  const system = getCACertificates("system");
  return [
    ...(system.length > 0 ? system : getCACertificates("bundled")),
    ...getCACertificates("extra"),
  ];
}
