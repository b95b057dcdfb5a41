"""Joins two network namespaces by a pair of TUN devices, and holds each packet back for a while.

Usage: delayed-link.py NAMESPACE_A CIDR_A NAMESPACE_B CIDR_B DELAY_MS
Says "up" when packets flow, and ends when its standard input does.
"""
import fcntl
import heapq
import os
import select
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN_NO_PI = 0x1001


def tun(name, namespace, cidr):
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH22s", name.encode(), IFF_TUN_NO_PI, b""))
    for command in (
        f"ip link set {name} netns {namespace}",
        f"ip -n {namespace} addr add {cidr} dev {name}",
        f"ip -n {namespace} link set {name} up",
    ):
        subprocess.check_call(command.split())
    return device


namespace_a, cidr_a, namespace_b, cidr_b, delay_ms = sys.argv[1:]
delay = float(delay_ms) / 1e3
a = tun("wire0", namespace_a, cidr_a)
b = tun("wire1", namespace_b, cidr_b)
held = []
count = 0
print("up", flush=True)
while True:
    wait = max(0.0, held[0][0] - time.monotonic()) if held else None
    ready, _, _ = select.select([a, b, sys.stdin], [], [], wait)
    if sys.stdin in ready:
        break
    for device in ready:
        while True:
            try:
                packet = os.read(device, 2048)
            except BlockingIOError:
                break
            count += 1
            heapq.heappush(held, (time.monotonic() + delay, count, b if device == a else a, packet))
    while held and held[0][0] <= time.monotonic():
        _, _, device, packet = heapq.heappop(held)
        os.write(device, packet)
