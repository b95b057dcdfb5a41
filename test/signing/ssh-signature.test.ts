import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { newSigningKey, parseSigningKey, type SigningKey } from "#signing/private-key";
import { keyBlob, keyLine, parseKeyLine, publicKeyOf } from "#signing/public-key";
import { namespace, parseSshSignature, sshSigned, sshVerified } from "#signing/ssh-signature";
import { parseTrustedKeys } from "#signing/trusted-keys";
import { sshString } from "#signing/ssh-bytes";
import { trustedKeysMax } from "#limits/signing-limits";
import { isInstalled } from "../support/installed.ts";
import { temporaryFolder } from "../support/running-service.ts";

const hasSsh = isInstalled("ssh-keygen");
const hasOpenssl = isInstalled("openssl");

const message = Buffer.from('{"kind":"tcp","locations":["office"]}');

function keyIn(text: string): SigningKey {
  const key = parseSigningKey(text);
  if (!key.ok) throw new Error(key.message);
  return key.value;
}

const armored = (base64: string): string =>
  `-----BEGIN SSH SIGNATURE-----\n${base64.replaceAll(/.{70}/g, "$&\n")}\n-----END SSH SIGNATURE-----\n`;

const signatureIn = (text: string): string => text.replaceAll(/-----[A-Z ]+-----|\s/g, "");

describe("a second implementation agrees", () => {
  test.skipIf(!hasSsh)("ssh-keygen verifies what is signed, and not over other bytes", () => {
    const folder = temporaryFolder();
    const at = (name: string): string => path.join(folder, name);
    const { key } = newSigningKey("ci");
    writeFileSync(at("signers"), `ci ${keyLine(key.raw, "")}\n`);
    writeFileSync(at("signature"), armored(sshSigned(message, key)));
    const verify = (input: Buffer) =>
      spawnSync(
        "ssh-keygen",
        ["-Y", "verify", "-f", at("signers"), "-I", "ci", "-n", namespace, "-s", at("signature")],
        { input },
      );
    expect(verify(message).stdout.toString()).toContain("Good");
    expect(verify(Buffer.from("other")).status).not.toBe(0);
  });

  test.skipIf(!hasSsh)(
    "ssh-keygen reads the key that is made, and what it signs is verified",
    () => {
      const folder = temporaryFolder();
      const at = (name: string): string => path.join(folder, name);
      const { key, text } = newSigningKey("a comment");
      writeFileSync(at("key"), text, { mode: 0o600 });
      const shown = execFileSync("ssh-keygen", ["-y", "-f", at("key")])
        .toString()
        .trim();
      expect(shown).toBe(keyLine(key.raw, "a comment"));
      const listed = execFileSync("ssh-keygen", ["-l", "-f", at("key")]).toString();
      expect(listed).toContain(key.shown.fingerprint);
      writeFileSync(at("message"), message);
      execFileSync("ssh-keygen", ["-Y", "sign", "-f", at("key"), "-n", namespace, at("message")], {
        stdio: "pipe",
      });
      const signed = readFileSync(at("message.sig"), "utf8");
      const signature = parseSshSignature(signatureIn(signed));
      expect(signature.ok && sshVerified(signature.value, message, key.shown)).toBe(true);
    },
  );

  test.skipIf(!hasSsh)(
    "a key that ssh-keygen made signs; with a passphrase or of another type it is refused with what to do",
    () => {
      const folder = temporaryFolder();
      const made = (type: string, phrase: string): string => {
        const file = path.join(folder, `${type}-${phrase.length}`);
        execFileSync("ssh-keygen", ["-q", "-t", type, "-N", phrase, "-C", "x", "-f", file]);
        return readFileSync(file, "utf8");
      };
      const plain = keyIn(made("ed25519", ""));
      const signature = parseSshSignature(sshSigned(message, plain));
      expect(signature.ok && sshVerified(signature.value, message, plain.shown)).toBe(true);
      expect(parseSigningKey(made("ed25519", "secret"))).toMatchObject({
        ok: false,
        message: expect.stringMatching(
          /protected by a passphrase.*ssh-keygen -p -N ''.*picket key new/,
        ),
      });
      expect(parseSigningKey(made("ecdsa", ""))).toMatchObject({
        ok: false,
        message: "is of the type ecdsa-sha2-nistp256: only ssh-ed25519 can be used",
      });
    },
  );

  test.skipIf(!hasOpenssl)(
    "openssl makes a key that signs, and verifies over the bytes that SSH puts around the message",
    () => {
      const folder = temporaryFolder();
      const at = (name: string): string => path.join(folder, name);
      execFileSync("openssl", ["genpkey", "-algorithm", "ed25519", "-out", at("key.pem")], {
        stdio: "pipe",
      });
      execFileSync("openssl", ["pkey", "-in", at("key.pem"), "-pubout", "-out", at("public.pem")]);
      const key = keyIn(readFileSync(at("key.pem"), "utf8"));
      const signature = parseSshSignature(sshSigned(message, key));
      if (!signature.ok) throw new Error(signature.message);
      writeFileSync(at("signature"), signature.value.signature);
      const hash = createHash("sha512").update(message).digest();
      const parts = [namespace, "", "sha512", hash].map(sshString);
      writeFileSync(at("signed"), Buffer.concat([Buffer.from("SSHSIG"), ...parts]));
      const said = execFileSync("openssl", [
        "pkeyutl",
        "-verify",
        "-rawin",
        "-pubin",
        "-inkey",
        at("public.pem"),
        "-in",
        at("signed"),
        "-sigfile",
        at("signature"),
      ]).toString();
      expect(said).toContain("Verified Successfully");
      const encrypted = spawnSync("openssl", [
        "pkcs8",
        "-topk8",
        "-in",
        at("key.pem"),
        "-v2",
        "aes256",
        "-passout",
        "pass:secret",
      ]).stdout.toString();
      expect(parseSigningKey(encrypted)).toMatchObject({
        ok: false,
        message: expect.stringContaining("passphrase"),
      });
      const rsa = execFileSync(
        "openssl",
        ["genpkey", "-algorithm", "rsa", "-pkeyopt", "rsa_keygen_bits:2048"],
        { stdio: "pipe" },
      ).toString();
      expect(parseSigningKey(rsa)).toMatchObject({
        ok: false,
        message: "is of the type rsa: only Ed25519 can be used",
      });
    },
  );
});

describe("a key that cannot be used", () => {
  const { key, text } = newSigningKey("x");
  const line = keyLine(key.raw, "x");
  test.each([
    ["nothing", "", "holds no private key in PEM"],
    [
      "a public key",
      line,
      "is a public key: give the private one, without .pub at the end of its name",
    ],
    ["half of one", `${text.slice(0, 150)}\n-----END OPENSSH PRIVATE KEY-----\n`, "is cut off"],
    ["other text in the lines", text.replaceAll(/\n[A-Za-z0-9+/]{8}/g, "\nAAAAAAAA"), "is damaged"],
    [
      "a damaged PEM",
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
      "holds a private key that is damaged or of a type that is not known",
    ],
  ])("signs nothing: %s", (_name, given, why) => {
    expect(parseSigningKey(given)).toEqual({ ok: false, message: why });
  });

  test.each([
    ["a truncated key", line.slice(0, 40), /^has a key that is cut off$/],
    [
      "another type",
      `ssh-rsa ${"A".repeat(80)}`,
      /^has a key of the type ssh-rsa: only ssh-ed25519/,
    ],
    [
      "a type that contradicts the key",
      `ssh-ed25519 ${Buffer.concat([sshString("ssh-rsa"), sshString("x")]).toString("base64")}`,
      /^has a key that is of the type ssh-rsa/,
    ],
    ["options", `command="ls" ${line}`, /options before a key cannot be used here/],
    ["no key", "ssh-ed25519", /has no key after its type/],
    ["a private key", text, /begins like a PEM file/],
    [
      "a key of 31 bytes",
      `ssh-ed25519 ${Buffer.concat([sshString("ssh-ed25519"), sshString(Buffer.alloc(31))]).toString("base64")}`,
      /has not the length/,
    ],
  ])("is not trusted: %s", (_name, given, why) => {
    expect(parseKeyLine(given)).toMatchObject({ ok: false, message: expect.stringMatching(why) });
    expect(parseTrustedKeys(`# signers\n${line}\n${given.split("\n")[0]}`)).toMatchObject({
      ok: false,
      message: expect.stringMatching(/^cannot be used: line 3 /),
    });
  });

  test("lists of keys have an end, and one at least", () => {
    const many = Array.from({ length: trustedKeysMax + 1 }, () =>
      keyLine(newSigningKey("").key.raw, ""),
    );
    expect(parseTrustedKeys(many.join("\n"))).toMatchObject({
      ok: false,
      message: `has more than ${trustedKeysMax} keys`,
    });
    expect(parseTrustedKeys(`${line}\n`.repeat(20_000))).toMatchObject({
      ok: false,
      message: "is larger than 64 KiB",
    });
    expect(parseTrustedKeys("# none\n")).toMatchObject({ ok: false, message: "has no key" });
    expect(parseTrustedKeys(`${line}\r\n`).ok).toBe(true);
  });
});

test("a signature that is cut off, of another purpose or of another key is none", () => {
  const { key } = newSigningKey("");
  const base64 = sshSigned(message, key);
  const bytes = Buffer.from(base64, "base64");
  for (let length = 0; length < bytes.length; length += 1)
    expect(parseSshSignature(bytes.subarray(0, length).toString("base64")).ok, String(length)).toBe(
      false,
    );
  const other = Buffer.from(
    bytes.toString("latin1").replace(namespace, "picket-other!!"),
    "latin1",
  );
  expect(parseSshSignature(other.toString("base64"))).toMatchObject({
    message: `is not for ${namespace}`,
  });
  const read = parseSshSignature(base64);
  const stranger = publicKeyOf(newSigningKey("").key.raw);
  expect(read.ok && sshVerified(read.value, message, stranger)).toBe(false);
  expect(keyBlob(key.raw)).toHaveLength(51);
  for (const byte of [0, 1, 0x7f, 0xff]) {
    const odd = publicKeyOf(Buffer.alloc(32, byte));
    expect(read.ok && sshVerified(read.value, message, odd), String(byte)).toBe(false);
  }
});
