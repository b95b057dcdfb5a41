import { type Bytes, kibibytes, type Millis, seconds } from "#base/units";

/* Secrets of the location, which monitors name. */

/** Larger than any key or certificate; what is larger is the wrong file. */
export const secretBytesMax: Bytes = kibibytes(64);
/** All files that name secrets or hosts, each: a thousand lines of some hundred characters. */
export const secretListBytesMax: Bytes = kibibytes(256);
/** A shorter one could not be recognised in what a target sends back: it is in every text. */
export const secretCharsMin = 6;
/** As many characters as a file may be called on common file systems, less the end that names its hosts. */
export const secretNameCharsMax = 128;
/** As many as a location may have monitors of one kind in a large team; all are in memory, once for each thread. */
export const secretsMax = 1_000;
/** A person has to be able to read the list. */
export const secretHostsMax = 100;
/** Kubernetes renews a mounted secret within a minute: a tenth of that is added. */
export const secretsLookEvery: Millis = seconds(5);
