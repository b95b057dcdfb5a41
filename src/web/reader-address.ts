import type { IncomingMessage } from "node:http";
import { type Block, covers, isMapped, lowestFour, writtenAddress } from "#network/address-block";
import { privateBlocks } from "#network/dialled-address";

type FromPeer = Pick<IncomingMessage, "socket" | "headers">;

/**
 * Who asks: the peer, or, behind proxies of ours, the last address in X-Forwarded-For that is none of theirs. What a
 * stranger writes into the header stands before that. Empty if a proxy of ours names no one: then it is no one's address.
 */
export function readersAddress(asked: FromPeer, trustedProxies: readonly Block[]): string {
  const forwarded = forwardedBy(asked);
  const way = [...forwarded, peerOf(asked)];
  for (const address of way.toReversed()) if (!isAmong(address, trustedProxies)) return address;
  return forwarded[0] ?? "";
}

/** A peer that says in X-Forwarded-For whom it asks for, and is no proxy that we know. */
interface UnknownProxy {
  readonly proxy: string;
  /** For whom it asks, as it says. */
  readonly reader: string;
}

/** Null if the peer is a proxy of ours, or asks for itself. */
export function unknownProxy(
  asked: FromPeer,
  trustedProxies: readonly Block[],
): UnknownProxy | null {
  const proxy = peerOf(asked);
  const reader = forwardedBy(asked).at(-1);
  return reader === undefined || isAmong(proxy, trustedProxies) ? null : { proxy, reader };
}

/**
 * Whether what a peer says in X-Forwarded-Proto counts for others than itself: of a proxy that is named, or, if none is, of
 * this machine and private networks, as those of containers are. A stranger from the internet can write anything there.
 */
export const isBelieved = (
  asked: Pick<FromPeer, "socket">,
  trustedProxies: readonly Block[],
): boolean => isAmong(peerOf(asked), trustedProxies.length === 0 ? privateBlocks : trustedProxies);

/** Whether an address is in one of the blocks; an IPv4 address may come as a mapped one. */
export function isAmong(text: string, blocks: readonly Block[]): boolean {
  const written = writtenAddress(text);
  if (written === null) return false;
  const address = isMapped(written) ? lowestFour(written) : written;
  return blocks.some((block) => covers(block, address));
}

/** The address of whoever is connected to us. */
export const peerOf = ({ socket }: Pick<FromPeer, "socket">): string => socket.remoteAddress ?? "";

/** The addresses of the header, that of the stranger first. */
const forwardedBy = ({ headers }: FromPeer): readonly string[] =>
  [headers["x-forwarded-for"] ?? []]
    .flat()
    .join(",")
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
