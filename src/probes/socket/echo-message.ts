/*
 * Echo requests of one flow (RFC 792, RFC 4443 §4), and what is about one of them. Routers share out pings by type, id
 * and checksum, which all of them have in common. They differ in their number: it is quoted by whoever ends one, and what
 * follows it keeps the checksum the same.
 */

const headerBytes = 8;
const requests = { four: 8, six: 128 } as const;
const replies = { four: 0, six: 129 } as const;
const text = Buffer.from("picket path");

/** Which packet of which flow; `id` is written over by the kernel's socket for echoes, with the port that it is bound to. */
export interface EchoOfFlow {
  readonly family: "four" | "six";
  readonly id: number;
  readonly number: number;
}

/** The kernel adds the checksum of every socket but the raw one of IPv4. */
export function echoRequest({ family, id, number }: EchoOfFlow): Buffer {
  const message = Buffer.concat([Buffer.alloc(headerBytes + 2), text]);
  message[0] = requests[family];
  message.writeUInt16BE(id, 4);
  message.writeUInt16BE(number, 6);
  message.writeUInt16BE(~number & 0xffff, headerBytes);
  message.writeUInt16BE(checksum(message), 2);
  return message;
}

/** Whether a message that came is the reply; a raw socket of IPv4 gets the header of IP, too. */
export function isEchoReply(received: Buffer, echo: EchoOfFlow): boolean {
  const isWhole = echo.family === "four" && (received[0] ?? 0) >> 4 === 4;
  const message = received.subarray(isWhole ? headerOf(received) : 0);
  return isOf(message, replies[echo.family], echo);
}

/** Whether an error is about the request, whose beginning it quotes. */
export const quotesEcho = (quoted: Buffer, echo: EchoOfFlow): boolean =>
  isOf(quoted, requests[echo.family], echo);

const isOf = (message: Buffer, type: number, { id, number }: EchoOfFlow): boolean =>
  message.length >= headerBytes &&
  message[0] === type &&
  message.readUInt16BE(4) === id &&
  message.readUInt16BE(6) === number;

/** How long the header of a packet of IPv4 is. */
export const headerOf = (packet: Buffer): number => ((packet[0] ?? 0) & 0x0f) * 4;

/** RFC 1071. */
export function checksum(message: Buffer): number {
  let sum = 0;
  for (let at = 0; at < message.length; at += 2)
    sum += ((message[at] ?? 0) << 8) + (message[at + 1] ?? 0);
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16);
  return ~sum & 0xffff;
}
