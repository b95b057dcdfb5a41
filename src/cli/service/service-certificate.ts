import { X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import path from "node:path";
import type { Io } from "#cli/edge/io";
import type { Clock } from "#base/clock";
import { stateOfFile } from "#machine/bounded-file";
import { type Identity, type IdentityFiles, readIdentity } from "#config/identity-files";
import * as limits from "#limits/service-limits";
import type { Logger } from "#base/log";
import type { ServerIdentity } from "#service/edge/web-server";

/**
 * The files of the service's own certificate: by option, else by variable, else systemd's credentials tls_certificate
 * and tls_key. An empty path is not set. A certificate and its key are one thing: given one of them, the rest is not
 * asked.
 */
export function certificateFiles(
  { cert, key }: { readonly cert: string | null; readonly key: string | null },
  env: Io["env"],
): IdentityFiles {
  if (cert !== null || key !== null)
    return {
      certificate: { name: "--cert", file: cert ?? "" },
      key: { name: "--key", file: key ?? "" },
    };
  const named = (name: string): IdentityFiles["key"] => ({ name, file: env[name] ?? "" });
  const given = {
    certificate: named("PICKET_SERVICE_CERT_FILE"),
    key: named("PICKET_SERVICE_KEY_FILE"),
  };
  if (given.certificate.file !== "" || given.key.file !== "") return given;
  const credential = (name: string): IdentityFiles["key"] => {
    const file = path.join(env["CREDENTIALS_DIRECTORY"] ?? "", name);
    const there = (env["CREDENTIALS_DIRECTORY"] ?? "") !== "" && existsSync(file);
    return { name: `the systemd credential ${name}`, file: there ? file : "" };
  };
  return { certificate: credential("tls_certificate"), key: credential("tls_key") };
}

interface CertificateReading {
  /** Null if no file is named: plain http. */
  readonly identity: ServerIdentity | null;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

export function readCertificate(files: IdentityFiles, clock: Clock): CertificateReading {
  const { identity, errors, warnings } = readIdentity(files, what, clock.wall());
  return { identity: identity === null ? null : revealed(identity), errors, warnings };
}

const what = "certificate of the service";
const revealed = ({ certificate, key }: Identity): ServerIdentity => ({
  certificate,
  key: key.reveal(),
});

interface Renewal {
  readonly files: IdentityFiles;
  /** Takes a certificate that can be used, in place of the last one. */
  readonly renew: (identity: ServerIdentity) => void;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Looks every minute whether the files were replaced, until `ended` aborts. What can be used is renewed; what cannot
 * leaves the last certificate in place, and is logged once.
 */
export async function renewCertificate(
  { files, renew, clock, log }: Renewal,
  ended: AbortSignal,
): Promise<void> {
  const look = (): string =>
    `${stateOfFile(files.certificate.file)} ${stateOfFile(files.key.file)}`;
  let seen = look();
  while (!ended.aborted) {
    await clock.sleep(limits.serviceCertificateLookEvery, ended);
    const state = look();
    if (ended.aborted || state === seen) continue;
    seen = state;
    const { identity, errors, warnings } = readCertificate(files, clock);
    for (const warning of warnings) log.warn(warning, {});
    if (errors.length > 0 || identity === null) {
      log.error("the new certificate cannot be used: the service keeps the last one", {
        "error.message": errors.join("; "),
      });
      continue;
    }
    renew(identity);
    log.info("the certificate was renewed", { "valid until": validTo(identity) });
  }
}

const validTo = ({ certificate }: ServerIdentity): string =>
  new X509Certificate(certificate).validToDate.toISOString();
