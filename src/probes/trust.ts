import { X509Certificate } from "node:crypto";
import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";

/**
 * Whom TLS checks believe. One SecureContext for each distinct trust, made at its first use and kept: parsing a CA
 * bundle for each connection would cost milliseconds a check.
 */
export interface Trust {
  secureContext(): SecureContext;
}

/** The system's authorities, and those of a PEM text on top. Throws as `authoritiesIn` does. */
export function systemTrust(extraPem: string | null): Trust {
  const extra = extraPem === null ? [] : authoritiesIn(extraPem);
  return lazyTrust(() => [...systemAuthorities(), ...extra]);
}

/**
 * The certificates of a PEM text. Throws a sentence when it holds none, or one that cannot be read: OpenSSL would pass
 * over it in silence, and every check would fail for a reason that nobody sees.
 */
export function authoritiesIn(pem: string): readonly string[] {
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
  return lazyTrust(() => authoritiesIn(pem));
}

function lazyTrust(authorities: () => readonly string[]): Trust {
  let made: SecureContext | null = null;
  return {
    secureContext: () =>
      (made ??= createSecureContext({ ca: [...authorities()], minVersion: "TLSv1.2" })),
  };
}

/** An image without a CA store falls back on Node's own copy of Mozilla's; NODE_EXTRA_CA_CERTS counts in both. */
function systemAuthorities(): readonly string[] {
  const system = getCACertificates("system");
  return [
    ...(system.length > 0 ? system : getCACertificates("bundled")),
    ...getCACertificates("extra"),
  ];
}
