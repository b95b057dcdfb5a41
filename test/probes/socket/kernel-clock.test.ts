import { spawnSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import net from "node:net";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { openKernelClock } from "#probes/socket/kernel-clock";
import { tcpPeer } from "../../servers/scripted.ts";

/** What a process that is started with these flags finds. */
function availability(...flags: readonly string[]): string {
  const module = path.resolve(import.meta.dirname, "../../../src/probes/socket/kernel-clock.ts");
  const script = `import { openKernelClock } from ${JSON.stringify(module)}; console.log(openKernelClock().available)`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [...flags, "--input-type=module", "-e", script],
    { encoding: "utf8" },
  );
  return stdout.trim() || stderr;
}

const clock = openKernelClock();

test("the kernel's clock is not had where ffi is switched off or not permitted, and nothing breaks", () => {
  expect(availability()).toBe(String(clock.available));
  expect(availability("--no-experimental-ffi")).toBe("false");
  expect(availability("--permission", "--allow-fs-read=*")).toBe("false");
});

describe.skipIf(!clock.available)("the kernel's clock", () => {
  test("knows how long a handshake took, and nothing of a socket that is not connected", async () => {
    await using peer = await tcpPeer(() => {});
    const socket = net.connect(peer.port, "127.0.0.1");
    await once(socket, "connect");
    expect(clock.handshake(socket)).toBeGreaterThan(0);
    expect(clock.handshake(socket)).toBeLessThan(1e9);
    socket.destroy();
    expect(clock.handshake(socket)).toBeNull();
    expect(clock.handshake(new net.Socket())).toBeNull();
  });

  test("knows how long ago a datagram came, however late it is read", async () => {
    const receiver = createSocket("udp4").bind(0, "127.0.0.1");
    await once(receiver, "listening");
    clock.noteArrivals(receiver);
    expect(clock.sinceArrival(receiver)).toBeNull();
    const sender = createSocket("udp4");
    sender.connect(receiver.address().port, "127.0.0.1");
    await once(sender, "connect");
    const message = once(receiver, "message");
    sender.send("x");
    const blockedUntil = performance.now() + 25;
    while (performance.now() < blockedUntil);
    await message;
    expect(clock.sinceArrival(receiver)).toBeGreaterThan(20e6);
    receiver.close();
    sender.close();
    expect(clock.sinceArrival(receiver)).toBeNull();
  });
});
