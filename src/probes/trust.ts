import { createSecureContext, getCACertificates, type SecureContext } from "node:tls";

/**
 * Whom TLS checks believe. One SecureContext for each distinct trust, made at its first use and kept: parsing a CA
 * bundle for each connection would cost milliseconds a check.
 */
export interface Trust {
  secureContext(): SecureContext;
}

/** The system's authorities, and those of a PEM text on top. Throws at first use when the PEM cannot be read. */
export function systemTrust(extraPem: string | null): Trust {
  return lazyTrust(() => [...systemAuthorities(), ...(extraPem === null ? [] : [extraPem])]);
}

/** Only the authorities of a PEM text. */
export function onlyTrust(pem: string): Trust {
  return lazyTrust(() => [pem]);
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
