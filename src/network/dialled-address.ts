import {
  type Address,
  type Block,
  covers,
  isMapped,
  lowestFour,
  parseBlock,
  writtenAddress,
} from "#network/address-block";
import { carriedIpv4 } from "#network/carried-ipv4";

/** What the system connects to for an address. A deny counts for every form of it, an allow for what is dialled alone. */
interface DialledAddress {
  readonly dialled: Address;
  readonly alsoKnownAs: readonly Address[];
}

/** Null for what is no address. */
export function dialledAddress(text: string): DialledAddress | null {
  // The zone says through which interface, not to which address.
  const written = writtenAddress(text.replace(/%.*$/s, ""));
  if (written === null) return null;
  if (isMapped(written)) {
    const { dialled, alsoKnownAs } = reached(lowestFour(written));
    return { dialled, alsoKnownAs: [...alsoKnownAs, written] };
  }
  return reached(written);
}

function reached(address: Address): DialledAddress {
  // The system takes the unspecified address for this machine.
  if (address.value === 0n)
    return { dialled: address.width === 32 ? loopback4 : loopback6, alsoKnownAs: [address] };
  return { dialled: address, alsoKnownAs: carriedIpv4(address) };
}

const loopback4: Address = { width: 32, value: 0x7f000001n };
const loopback6: Address = { width: 128, value: 1n };

/**
 * What no monitor reaches unless its address is allowed itself: whoever asks there gets the machine's credentials, or
 * is on the machine's own link. A name proves nothing, for whoever keeps its DNS decides where it leads.
 */
const deniedByDefault: readonly (Block & { readonly as: string })[] = [
  { width: 32, prefix: 16, value: 0xa9fe_0000n, as: "link-local" },
  { width: 128, prefix: 10, value: 0xfe80n << 112n, as: "link-local" },
  // Clouds hand out credentials at link-local addresses and at these: Alibaba, Azure, Oracle; by IPv6 AWS (two), Google
  // and Scaleway.
  ...[
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd00:ec2::23",
    "fd20:ce::254",
    "fd00:42::42",
  ].flatMap((text) => {
    const block = parseBlock(text);
    return block === null ? [] : [{ ...block, as: "cloud metadata" }];
  }),
];

/** The end of "… is denied"; null for an address that nothing speaks against. */
export function neverDialled(address: DialledAddress): string | null {
  const forms = everyForm(address);
  const block = deniedByDefault.find((one) => forms.some((form) => covers(one, form)));
  return block === undefined ? null : `as a ${block.as} address, unless it is allowed itself`;
}

export const everyForm = ({ dialled, alsoKnownAs }: DialledAddress): readonly Address[] => [
  dialled,
  ...alsoKnownAs,
];

/** Whether an address is this machine, or in a network that the internet does not route (RFC 1918, 4193, 6598). */
export const isPrivate = ({ dialled }: DialledAddress): boolean =>
  privateBlocks.some((block) => covers(block, dialled));

/** This machine, and networks that the internet does not route. */
export const privateBlocks: readonly Block[] = [
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "::1/128",
  "fc00::/7",
].flatMap((text) => parseBlock(text) ?? []);

/** Whether an address is this machine itself, whatever its networks are. */
export const isLoopback = ({ dialled }: DialledAddress): boolean =>
  dialled.width === 32 ? dialled.value >> 24n === 127n : dialled.value === loopback6.value;
