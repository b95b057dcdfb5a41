import { type Address, type Block, covers } from "#network/address-block";

/**
 * The IPv4 addresses that an IPv6 address may carry: a translator on the way, or the kernel's own tunnel, connects to
 * those. Which one is the translator's setting, so every reading that is possible is given; none is in 0.0.0.0/8, which
 * is what the zeros of another reading look like and no translator connects to.
 */
export function carriedIpv4(address: Address): readonly Address[] {
  if (address.width === 32) return [];
  return carriers
    .filter(({ block }) => covers(block, address))
    .flatMap(({ readings }) => readings.map((reading) => reading(address.value)))
    .filter((value) => value >> 24n !== 0n)
    .map((value) => ({ width: 32, value }));
}

interface Carrier {
  readonly block: Block;
  readonly readings: readonly ((value: bigint) => bigint)[];
}

/** 32 bits that end so many bits before the address's last. */
const bitsAbove =
  (rest: bigint) =>
  (value: bigint): bigint =>
    (value >> rest) & 0xffff_ffffn;

/**
 * RFC 6052 §2.2: the address follows the prefix, and steps over bits 64 to 71 where it would lie on them.
 *
 *     prefix 48:  |  48 bits  | v4: 16 | 8 bits | v4: 16 | rest |
 */
const behindPrefix =
  (prefix: bigint) =>
  (value: bigint): bigint => {
    const withoutGap = ((value >> 64n) << 56n) | (value & 0x00ff_ffff_ffff_ffffn);
    return bitsAbove(120n - prefix - 32n)(withoutGap);
  };

const carriers: readonly Carrier[] = [
  // The well-known prefix (RFC 6052 §2.1), that for local translators (RFC 8215), and what lies next to them.
  {
    block: { width: 128, prefix: 32, value: 0x0064_ff9bn << 96n },
    readings: [bitsAbove(0n), ...[32n, 40n, 48n, 56n, 64n].map(behindPrefix)],
  },
  // IPv4-translated (RFC 2765 §2.1, SIIT): ::ffff:0:a.b.c.d.
  { block: { width: 128, prefix: 96, value: 0xffff_0000n << 32n }, readings: [bitsAbove(0n)] },
  // 6to4 (RFC 3056 §2).
  { block: { width: 128, prefix: 16, value: 0x2002n << 112n }, readings: [bitsAbove(80n)] },
  // Teredo (RFC 4380 §4): its server, and its client with every bit turned over.
  {
    block: { width: 128, prefix: 32, value: 0x2001_0000n << 96n },
    readings: [bitsAbove(64n), (value) => ~value & 0xffff_ffffn],
  },
  // The deprecated IPv4-compatible form (RFC 4291 §2.5.5.1): ::a.b.c.d.
  { block: { width: 128, prefix: 96, value: 0n }, readings: [bitsAbove(0n)] },
];
