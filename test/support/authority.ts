// The certificate library builds on decorators that need this first.
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import * as x509 from "@peculiar/x509";

/** A certificate with its key, as PEM. */
export interface Identity {
  readonly cert: string;
  readonly key: string;
}

export interface Issue {
  readonly name?: string;
  /** Alternative names: `127.0.0.1` becomes an address, the rest names. */
  readonly altNames?: readonly string[];
  readonly validFrom?: Date;
  readonly validTo?: Date;
  /** How many authorities may stand below it; unlimited where it is left out. */
  readonly pathLength?: number;
  /** What it may be used for; anything where it is left out. */
  readonly use?: "client";
  /** An RSA key of 1024 bits, which no one should trust any more. */
  readonly hasShortKey?: boolean;
}

const day = 86_400_000;
const shortKey = {
  name: "RSASSA-PKCS1-v1_5",
  modulusLength: 1024,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: "SHA-256",
};
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const;

/** A certificate authority of the test's own: it makes exactly the certificates that a test needs, also bad ones. */
export class Authority {
  readonly cert: string;
  readonly #root: x509.X509Certificate;
  readonly #keys: webcrypto.CryptoKeyPair;

  private constructor(root: x509.X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.#root = root;
    this.#keys = keys;
    this.cert = root.toString("pem");
  }

  static async create(name = "Picket test authority"): Promise<Authority> {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    const root = await x509.X509CertificateGenerator.createSelfSigned({
      name: `CN=${name}`,
      keys,
      signingAlgorithm: algorithm,
      notBefore: new Date(Date.now() - day),
      notAfter: new Date(Date.now() + 365 * day),
      extensions: authorityExtensions(),
    });
    return new Authority(root, keys);
  }

  /** An authority under this one, as a chain has them between its root and its leaf. */
  async intermediate(
    name: string,
    {
      validFrom = new Date(Date.now() - day),
      validTo = new Date(Date.now() + 30 * day),
      pathLength,
    }: Issue = {},
  ): Promise<Authority> {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    const cert = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: this.#root.subject,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: algorithm,
      notBefore: validFrom,
      notAfter: validTo,
      extensions: authorityExtensions(pathLength),
    });
    return new Authority(cert, keys);
  }

  async issue({
    name = "localhost",
    altNames = ["localhost", "127.0.0.1"],
    validFrom = new Date(Date.now() - day),
    validTo = new Date(Date.now() + 30 * day),
    use,
    hasShortKey = false,
  }: Issue = {}): Promise<Identity> {
    const keys = await webcrypto.subtle.generateKey(hasShortKey ? shortKey : algorithm, true, [
      "sign",
      "verify",
    ]);
    const cert = await x509.X509CertificateGenerator.create({
      subject: `CN=${name}`,
      issuer: this.#root.subject,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: algorithm,
      notBefore: validFrom,
      notAfter: validTo,
      extensions: [
        ...(altNames.length === 0 ? [] : [alternatives(altNames)]),
        ...(use === undefined ? [] : [new x509.ExtendedKeyUsageExtension([clientAuth])]),
      ],
    });
    return { cert: cert.toString("pem"), key: await privateKeyPem(keys.privateKey) };
  }

  /** A certificate that vouches for itself. */
  static async selfSigned(): Promise<Identity> {
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    const cert = await x509.X509CertificateGenerator.createSelfSigned({
      name: "CN=localhost",
      keys,
      signingAlgorithm: algorithm,
      notBefore: new Date(Date.now() - day),
      notAfter: new Date(Date.now() + day),
      extensions: [alternatives(["localhost", "127.0.0.1"])],
    });
    return { cert: cert.toString("pem"), key: await privateKeyPem(keys.privateKey) };
  }
}

const clientAuth = "1.3.6.1.5.5.7.3.2";

const authorityExtensions = (pathLength?: number): x509.Extension[] => [
  new x509.BasicConstraintsExtension(true, pathLength, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
];

const alternatives = (names: readonly string[]): x509.SubjectAlternativeNameExtension =>
  new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: /^[\d.]+$/.test(value) ? "ip" : "dns", value })),
  );

async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", key));
  return x509.PemConverter.encode(der, "PRIVATE KEY");
}
