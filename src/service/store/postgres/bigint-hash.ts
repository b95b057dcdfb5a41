/**
 * PostgreSQL's hash of a bigint (hashint8, a round of Bob Jenkins' lookup3), by which Citus finds the shard of a row.
 * The ids that we have are not negative.
 */
export function bigintHash(value: number): number {
  const folded = (value ^ Math.floor(value / 2 ** 32)) >>> 0;
  const seed = (0x9e37_79b9 + 4 + 3_923_095) | 0;
  let [a, b, c] = [(seed + folded) | 0, seed, seed];
  c = ((c ^ b) - rotated(b, 14)) | 0;
  a = ((a ^ c) - rotated(c, 11)) | 0;
  b = ((b ^ a) - rotated(a, 25)) | 0;
  c = ((c ^ b) - rotated(b, 16)) | 0;
  a = ((a ^ c) - rotated(c, 4)) | 0;
  b = ((b ^ a) - rotated(a, 14)) | 0;
  c = ((c ^ b) - rotated(b, 24)) | 0;
  return c;
}

const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));
