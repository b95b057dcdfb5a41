import { generateKeyPairSync, sign } from "node:crypto";

/** A certificate that no client trusts, with its key: for a handshake with ourselves. */
interface ThrowawayCertificate {
  readonly cert: string;
  readonly key: string;
}

/** Makes one for `localhost`, valid for the whole of `year` (X.509, RFC 5280; the runtime only reads certificates). */
export function throwawayCertificate(year: number): ThrowawayCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(set(sequence(commonName, tagged(0x0c, Buffer.from("localhost")))));
  const signed = sequence(
    tagged(0x02, Buffer.from([1])),
    sequence(ecdsaWithSha256),
    name,
    sequence(utcTime(`${year}0101000000Z`), utcTime(`${year}1231235959Z`)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = sign("sha256", signed, privateKey);
  const whole = sequence(
    signed,
    sequence(ecdsaWithSha256),
    // A bit string begins with the number of bits that its last byte leaves unused.
    tagged(0x03, Buffer.concat([Buffer.from([0]), signature])),
  );
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${whole.toString("base64")}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
  };
}

/** DER (X.690 §8.1): a tag, the length of what follows, and that. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...(length < 0x80 ? [length] : long)]), content]);
}

const sequence = (...parts: readonly Buffer[]): Buffer => tagged(0x30, Buffer.concat(parts));
const set = (...parts: readonly Buffer[]): Buffer => tagged(0x31, Buffer.concat(parts));

/** Years until 2049 are written in two digits (RFC 5280 §4.1.2.5.1); a throwaway lies before them. */
const utcTime = (text: string): Buffer => tagged(0x17, Buffer.from(text.slice(2)));

// Object identifiers: id-at-commonName (2.5.4.3) and ecdsa-with-SHA256 (1.2.840.10045.4.3.2).
const commonName: Buffer = Buffer.from("0603550403", "hex");
const ecdsaWithSha256: Buffer = Buffer.from("06082a8648ce3d040302", "hex");
