import { type Bytes, kibibytes, type Millis, minutes, seconds } from "#base/units";

/* Secrets of the location, which monitors name. */

/** Larger than any key or certificate; what is larger is the wrong file. */
export const secretBytesMax: Bytes = kibibytes(64);
/** All files that name secrets or hosts, each: a thousand lines of some hundred characters. */
export const secretListBytesMax: Bytes = kibibytes(256);
/** A shorter one could not be recognised in what a target sends back: it is in every text. */
export const secretCharsMin = 6;
/** Characters of secrets that are compared with places of one reported text, some 50 ms: a body of 64 KiB that is all secret fits twice. */
export const secretSearchSteps = 200_000;
/**
 * The same of a body, or of all headers, that assertions look at: some 250 ms. A body of 4 MiB of JSON that says `token` in every
 * field, and a secret that begins so, are less. A body of 2 KiB that is all like a secret would take seconds else, and one of
 * 10 MiB hours, for which the thread would make no other check.
 */
export const judgedSearchSteps = 2_000_000;
/** As many characters as a file may be called on common file systems, less the end that names its hosts. */
export const secretNameCharsMax = 128;
/** As many as a location may have monitors of one kind in a large team; all are in memory, once for each thread. */
export const secretsMax = 1_000;
/** A person has to be able to read the list. */
export const secretHostsMax = 100;
/** Kubernetes renews a mounted secret within a minute: a tenth of that is added. */
export const secretsLookEvery: Millis = seconds(5);

/* Vault */

/** Vault answers within milliseconds; this one is away. */
export const vaultCallTimeout: Millis = seconds(5);
/** A changed value counts within a minute, as one that Kubernetes mounts. */
export const vaultReadEvery: Millis = seconds(60);
/** A lease that is shorter still does not make an agent ask without pause. */
export const vaultReadEveryMin: Millis = seconds(5);
export const vaultTryAgainAfter: Millis = seconds(10);
/** A token that an entry refuses sooner is not allowed to read it, and neither is the next: no login each time. */
export const vaultTokenDroppedAfter: Millis = minutes(10);
/** A restart, an upgrade or a night's outage of Vault is shorter; past this its values may have been revoked. */
export const vaultKeptFor: Millis = minutes(60);
/** Entries with a thousand secrets. */
export const vaultAnswerBytesMax: Bytes = kibibytes(1024);
/** A token, a service account's JWT, or a bundle of authorities. */
export const vaultFileBytesMax: Bytes = kibibytes(512);
