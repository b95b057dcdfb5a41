import {
  certificatesAsWritten,
  type Identity,
  type IdentityFiles,
  type NamedFile,
  readIdentity,
  readNamed,
} from "#config/identity-files";
import type { TrustMaterial } from "#machine/trust";
import type { EpochMillis } from "#base/units";

interface TrustFiles extends IdentityFiles {
  readonly authorities: NamedFile;
}

/** What the files hold, with the key wrapped, so that it is never printed by accident. */
export interface TrustContent {
  readonly authorities: string | null;
  readonly identity: Identity | null;
}

export interface TrustReading {
  readonly trusted: TrustContent;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

export const trustMaterial = ({ authorities, identity }: TrustContent): TrustMaterial => ({
  authorities,
  identity: identity === null ? null : { ...identity, key: identity.key.reveal() },
});

/**
 * Reads the authorities and the client certificate, once: what is on disk later counts from the next start. What
 * cannot be used is an error by the name of its setting, here and not at the first handshake; an error has no part in
 * what is trusted.
 */
export function readTrustFiles(files: TrustFiles, now: EpochMillis): TrustReading {
  const authorities = readNamed(files.authorities, certificatesAsWritten);
  const { identity, errors, warnings } = readIdentity(files, "client certificate", now);
  return {
    trusted: { authorities: authorities.value, identity },
    errors: [...authorities.errors, ...errors],
    warnings,
  };
}
