/** A number in [0, 1) that depends on the text alone. */
export const spread = (text: string): number => mixed(hashOf(text)) / 2 ** 32;

/** A text as 32 bits (FNV-1a); alike for texts that are alike, until they are mixed. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}

/** The finaliser of MurmurHash3: each bit of the 32 changes about half of them. */
export function mixed(bits: number): number {
  let hash = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
