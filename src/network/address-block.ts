/** A CIDR or an address as a block of addresses; null for what is neither. A block of mapped addresses is one of IPv4. */
export function parseBlock(text: string): Block | null {
  const [, base = "", digits] = /^([^/%]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const written = writtenAddress(base);
  if (written === null) return null;
  const prefix = digits === undefined ? written.width : Number(digits);
  if (prefix > written.width) return null;
  return isMapped(written) && prefix >= 96
    ? { ...lowestFour(written), prefix: prefix - 96 }
    : { ...written, prefix };
}

/** An address as a number of 32 bits (IPv4) or 128 (IPv6). */
export interface Address {
  readonly width: 32 | 128;
  readonly value: bigint;
}

/** The addresses whose first `prefix` bits are those of `value`. */
export interface Block extends Address {
  readonly prefix: number;
}

export function covers(block: Block, { width, value }: Address): boolean {
  const rest = BigInt(block.width - block.prefix);
  return width === block.width && value >> rest === block.value >> rest;
}

/** RFC 4291 §2.5.5.2: ::ffff:0:0/96 is dialled over IPv4. */
export const isMapped = ({ width, value }: Address): boolean =>
  width === 128 && value >> 32n === 0xffffn;

export const lowestFour = ({ value }: Address): Address => ({
  width: 32,
  value: value & 0xffffffffn,
});

/** Null for what is no address; the same texts as the runtime takes for addresses, but for a zone. */
export function writtenAddress(text: string): Address | null {
  if (ipv4.test(text)) return { width: 32, value: numberOf(text.split("."), 8n, 10) };
  // Whoever reads URLs reads IPv6 too, in every form of RFC 4291 §2.2.
  if (/^[\da-f:.]+$/i.test(text) && text.includes(":") && URL.canParse(`http://[${text}]/`))
    return { width: 128, value: numberOf(groupsOf(text), 16n, 16) };
  return null;
}

/** Four numbers without leading zeros: an octal form means another address to others. */
const ipv4 = /^(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/;

const numberOf = (parts: readonly string[], bits: bigint, radix: number): bigint =>
  parts.reduce((sum, part) => (sum << bits) | BigInt(Number.parseInt(part, radix)), 0n);

/** The eight groups of an IPv6 address (RFC 4291 §2.2): `::` stands for as many zeros as are missing. */
function groupsOf(text: string): readonly string[] {
  const groups = (part: string): readonly string[] =>
    part === "" ? [] : part.split(":").flatMap((group) => twoGroups(group) ?? [group]);
  const [head = "", tail] = text.split("::");
  if (tail === undefined) return groups(head);
  const [first, last] = [groups(head), groups(tail)];
  return [...first, ...Array<string>(8 - first.length - last.length).fill("0"), ...last];
}

/** The last four bytes may be written as an IPv4 address. */
function twoGroups(group: string): readonly string[] | null {
  if (!group.includes(".")) return null;
  const value = Number(numberOf(group.split("."), 8n, 10));
  return [(value >>> 16).toString(16), (value & 0xffff).toString(16)];
}

/** RFC 5771, RFC 4291 §2.7: addresses that many hosts listen to. */
export function isMulticast(text: string): boolean {
  const address = writtenAddress(text.replace(/%.*$/, ""));
  if (address === null) return false;
  const { width, value } = isMapped(address) ? lowestFour(address) : address;
  return width === 32 ? value >> 28n === 0xen : value >> 120n === 0xffn;
}

/** RFC 919 §7: every host of this network. Of which network another address is the broadcast, only its routes say. */
export const isBroadcast = (text: string): boolean => text === "255.255.255.255";
