/*
 * The numbers by which Linux knows what several files of ours ask it for, with the header that each is from. They are
 * the same on x86-64 and arm64.
 */

/** sys/socket.h */
export const inet = 2;
export const inet6 = 10;
export const solSocket = 1;

/** asm-generic/socket.h, SO_TIMESTAMPNS: the option, and the control message that it brings. */
export const timestampNs = 35;

/** linux/time.h: the clock of the kernel's stamps. */
export const clockRealtime = 0;

/** netinet/tcp.h */
export const solTcp = 6;
export const tcpInfo = 11;

/** linux/tcp.h, struct tcp_info: where a field begins. */
export const longestSegmentInAt = 20;
export const rttAt = 68;
export const totalRetransAt = 100;
export const dataSegmentsInAt = 152;

/** icmp(7) on a raw socket of IPv4: each bit is a type that it does not get; here all but the replies of echoes. */
export const solRaw = 255;
export const icmpFilter = 1;
export const allButReplies: number = ~1;

/** ip(7), IP_RECVERR, and ipv6(7), IPV6_RECVERR. */
export const recvErr = { level: 0, name: 11 } as const;
export const recvErr6 = { level: 41, name: 25 } as const;

/** bits/errno.h of glibc: where a thread's errno is found. */
export const errnoName = "__errno_location";
