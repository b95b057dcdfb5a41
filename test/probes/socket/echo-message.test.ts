import { expect, test } from "vitest";
import { checksum, echoRequest, isEchoReply, quotesEcho } from "#probes/socket/echo-message";

const echo = { family: "four", id: 61_000, number: 0x1234 } as const;

test("all packets of a flow have one checksum, which is right, and differ in their number", () => {
  for (const family of ["four", "six"] as const) {
    const packets = [0, 1, 0x1234, 0xfffe, 0xffff].map((number) =>
      echoRequest({ family, id: 61_000, number }),
    );
    expect(new Set(packets.map((one) => one.toString("hex", 0, 6))).size).toBe(1);
    expect(new Set(packets.map((one) => one.readUInt16BE(6))).size).toBe(packets.length);
    expect(packets.map(checksum)).toEqual(packets.map(() => 0));
  }
});

test("a message is about an echo only if its id and its number are those", () => {
  const others = [
    { ...echo, id: 61_001 },
    { ...echo, number: 1 },
  ];
  expect(quotesEcho(echoRequest(echo).subarray(0, 8), echo)).toBe(true);
  for (const other of others) expect(quotesEcho(echoRequest(other), echo)).toBe(false);
  const reply = echoRequest(echo);
  reply[0] = 0;
  expect(isEchoReply(reply, echo)).toBe(true);
  expect(quotesEcho(reply, echo)).toBe(false);
  const ipHeader = Buffer.alloc(24);
  ipHeader[0] = 0x46;
  expect(isEchoReply(Buffer.concat([ipHeader, reply]), echo)).toBe(true);
  for (const other of others) expect(isEchoReply(reply, other)).toBe(false);
  for (const bytes of [0, 1, 7])
    for (const short of [reply.subarray(0, bytes), ipHeader.subarray(0, bytes)])
      expect(isEchoReply(short, echo) || quotesEcho(short, echo)).toBe(false);
});
