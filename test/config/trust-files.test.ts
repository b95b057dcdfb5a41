import { createPrivateKey } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { inspect } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { readTrustFiles, trustMaterial, type TrustReading } from "#config/trust-files";
import { epochMillis } from "#base/units";
import { Authority, type Identity } from "../support/authority.ts";
import { temporaryFolder } from "../support/running-service.ts";

const day = 86_400_000;
const now = epochMillis(Date.now());

let authority: Authority;
let identity: Identity;
beforeAll(async () => {
  authority = await Authority.create();
  identity = await authority.issue();
});

/** A path with this text, or one that leads nowhere. */
function file(name: string, text: string): string {
  const to = path.join(temporaryFolder(), name);
  writeFileSync(to, text);
  return to;
}

function reading({ ca = "", cert = "", key = "" }): TrustReading {
  return readTrustFiles(
    {
      authorities: { name: "PICKET_CA_FILE", file: ca },
      certificate: { name: "PICKET_CLIENT_CERT_FILE", file: cert },
      key: { name: "PICKET_CLIENT_KEY_FILE", file: key },
    },
    now,
  );
}

const identityFiles = ({ cert, key }: Identity): { cert: string; key: string } => ({
  cert: file("client.crt", cert),
  key: file("client.key", key),
});

test("without settings only the system's authorities are trusted, and we show no certificate", () => {
  expect(reading({})).toEqual({
    trusted: { authorities: null, identity: null },
    errors: [],
    warnings: [],
  });
});

test("authorities, certificate and key are read, and no output shows the key", async () => {
  const both = authority.cert + "\n# another\n" + (await Authority.create("another")).cert;
  const read = reading({ ca: file("ca.crt", both), ...identityFiles(identity) });
  expect(read).toMatchObject({ errors: [], warnings: [] });
  expect(trustMaterial(read.trusted)).toEqual({
    authorities: both,
    identity: { certificate: identity.cert, key: identity.key },
  });
  const secret = identity.key.split("\n")[1] ?? "";
  expect(secret.length).toBeGreaterThan(40);
  expect(inspect(read, { depth: 9 }) + JSON.stringify(read)).not.toContain(secret);
});

test("authorities that are not there, are none, or cannot be read are reported by their variable", () => {
  const broken = "-----BEGIN CERTIFICATE-----\nbm9uc2Vuc2U=\n-----END CERTIFICATE-----\n";
  const errorOf = (ca: string): string => reading({ ca }).errors.join();
  expect(errorOf("/nowhere/ca.pem")).toBe(
    "PICKET_CA_FILE cannot be used: ENOENT (/nowhere/ca.pem)",
  );
  expect(errorOf("/")).toBe("PICKET_CA_FILE cannot be used: EISDIR (/)");
  expect(errorOf("/dev/zero")).toBe(
    "PICKET_CA_FILE cannot be used: is larger than 4096 KiB (/dev/zero)",
  );
  expect(errorOf(file("ca", "nothing"))).toMatch(/: holds no PEM certificate \(/);
  expect(errorOf(file("ca", authority.cert + broken))).toMatch(
    /: holds a certificate that cannot be read \(number 2\) \(/,
  );
});

test("one of certificate and key is not enough", () => {
  const { cert, key } = identityFiles(identity);
  expect(reading({ cert }).errors).toEqual([
    "PICKET_CLIENT_KEY_FILE is not set, and PICKET_CLIENT_CERT_FILE is: a client certificate needs both, its certificate and its key",
  ]);
  expect(reading({ key }).errors).toEqual([
    expect.stringMatching(/^PICKET_CLIENT_CERT_FILE is not set, and PICKET_CLIENT_KEY_FILE is:/),
  ]);
});

test("a key that is another's, encrypted or none is refused without being quoted", async () => {
  const other = await authority.issue();
  const encrypted = createPrivateKey(identity.key).export({
    type: "pkcs8",
    format: "pem",
    cipher: "aes-256-cbc",
    passphrase: "planted",
  });
  const errorOf = (key: string): string =>
    reading({ ...identityFiles({ cert: identity.cert, key }) }).errors.join();
  expect(errorOf(other.key)).toMatch(
    /^PICKET_CLIENT_KEY_FILE is not the key of the first certificate in PICKET_CLIENT_CERT_FILE \(/,
  );
  expect(errorOf(encrypted)).toMatch(
    /^PICKET_CLIENT_KEY_FILE cannot be used: the key is encrypted; decrypt it with: openssl pkey -in KEY -out FILE/,
  );
  expect(errorOf("planted")).toMatch(
    /^PICKET_CLIENT_KEY_FILE cannot be used: holds no PEM private key that can be read \(/,
  );
  expect(errorOf(identity.cert)).toContain("holds no PEM private key");
});

test("a certificate out of its time is used anyway, with a warning", async () => {
  const at = (offset: number): Date => new Date(now + offset);
  const expired = await authority.issue({ validFrom: at(-9 * day), validTo: at(-day) });
  const early = await authority.issue({ validFrom: at(day), validTo: at(9 * day) });
  for (const [one, sentence] of [
    [expired, /^PICKET_CLIENT_CERT_FILE: the client certificate has expired on \d{4}-/],
    [early, /^PICKET_CLIENT_CERT_FILE: the client certificate is valid only from \d{4}-/],
  ] as const) {
    const read = reading(identityFiles(one));
    expect(read.errors).toEqual([]);
    expect(read.warnings).toEqual([expect.stringMatching(sentence)]);
    expect(read.trusted.identity).not.toBeNull();
  }
});
