import {
  bytes,
  type Bytes,
  kibibytes,
  mebibytes,
  type Millis,
  millis,
  type Nanos,
  nanos,
  seconds,
} from "#base/units";

/* What a probe sends, reads and keeps. */

/* A connection */

/** Happy Eyeballs (RFC 8305 §5): the next address starts this long after the last. */
export const nextAddressAfter: Millis = millis(250);
/** More addresses than this for one name are not dialled one by one. */
export const addressesMax = 16;
/** Less than the first flight of a TCP connection (RFC 6928: ten segments) and than Linux's smallest send buffer. */
export const requestSentAtOnceMax: Bytes = kibibytes(8);
/** The answer to a CONNECT has a few lines; what a proxy says past this is no tunnel. */
export const proxyHeadBytesMax: Bytes = kibibytes(16);
/** Each rule of the target guard is checked against each address that is dialled. */
export const targetRulesMax = 1_000;
/** That many rules as the longest names that there are. */
export const targetFileBytesMax: Bytes = kibibytes(256);
/** Kubernetes renews a mounted file within a minute: a tenth of that is added. */
export const targetFilesLookEvery: Millis = seconds(5);
/** As many as an agent has monitors, at about 100 bytes each; a host whose addresses change forever starts anew. */
export const guardAnswersKeptMax = 20_000;
/** A pause of the process is noticed to this: 20 wakes a second of some 10 µs, and only while checks run. */
export const pauseBeatEvery: Millis = millis(50);
/** Timers of the runtime and the system are late by a few milliseconds without any pause. */
export const pauseMin: Nanos = nanos(10e6);
/** A thread that comes back to its loop sooner than this behind its time is only busy, and no timeout passes meanwhile. */
export const absenceMin: Nanos = nanos(20e6);
/** A thread that has not warmed up by then is cold for another reason, and is needed now. */
export const warmUpMax: Millis = seconds(2);

/* HTTP: the head */

/** Past this a response head is an attack or a fault; Chrome refuses 256 KiB. */
export const responseHeadBytesMax: Bytes = kibibytes(300);
/** A 100, a few 102 and 103; a peer that sends more never means to answer. */
export const interimResponsesMax = 32;
/** The size of a chunk and its extensions, which are never used: curl stops at 16 digits, Go at 4 KiB. */
export const chunkLineBytesMax: Bytes = kibibytes(4);
/** A connection is read up to here before others have their turn: a peer that floods delays them by a millisecond. */
export const http1TurnBytesMax: Bytes = kibibytes(64);
/** The same over HTTP/2, where ten bytes make a frame that costs some microseconds. */
export const http2TurnBytesMax: Bytes = kibibytes(16);
/** A head over HTTP/2 may continue in eight frames (nghttp2's own limit) of 16 KiB; its first frame makes nine. */
export const http2HeadFramesMax = 9;
export const http2HeadBytesMax: Bytes = kibibytes(9 * 16);
/** HTTP/2 counts 32 bytes a header line in addition to its text (RFC 9113 §6.5.2): no more than these fit a head. */
export const http2HeadPairsMax: number = Math.floor(responseHeadBytesMax / 32);
/** Frames that carry nothing of the answer: settings, pings, windows. A peer that sends more never means to answer. */
export const http2IdleFramesMax = 1_000;
/** What a peer may send ahead over HTTP/2 on one stream, and on the connection: 10 MiB a second from 25 ms away. */
export const http2StreamWindowBytes: Bytes = kibibytes(256);
export const http2ConnectionWindowBytes: Bytes = kibibytes(512);

/* HTTP: the body, one by one and all together */

/** The first memory for a body: most are shorter; it doubles as more comes. */
export const bodyBytesFirst: Bytes = kibibytes(16);
/**
 * Every check may read a body this long; past it, the body asks for its share of the memory for all of them. Shorter
 * ones are bounded by the checks that run at once: 200 (PICKET_CONCURRENCY) take 12.5 MiB.
 */
export const bodyBytesUnclaimed: Bytes = kibibytes(64);
/**
 * What long bodies may take of the container's memory. Of 128 MiB, the program's code has 47, heaps and libraries 45 at
 * rest; a container that has no room for its own code reads it from disk again and again.
 */
export const bodyMemoryShare = 0.15;
/** The most that a decoder looks back over: Brotli's window (RFC 7932 §9.1), and what RFC 9659 allows zstd. */
export const brotliWindowBytesMax: Bytes = mebibytes(16);
export const zstdWindowBits = 23;
/** DEFLATE makes at most 1,032 bytes of one. */
export const deflateExpansionMax = 1_032;

/* DNS */

/** RFC 1035 §2.3.4. */
export const dnsNameCharsMax = 253;
export const dnsLabelCharsMax = 63;
/** The size that passes unfragmented nearly everywhere (DNS flag day 2020). */
export const dnsUdpPayloadMax: Bytes = bytes(1232);
/** One answer; DNS over TCP cannot carry more (two-byte length). */
export const dnsMessageBytesMax: Bytes = bytes(65_535);
/** Resolvers make 8 to 16 steps to follow a chain, but in one step unbound and nsd pass on chains that are longer. */
export const dnsCnamesMax = 32;
/** resolv.conf(5): MAXNS is 3, but a few more cost nothing. */
export const dnsServersMax = 8;
export const dnsSearchDomainsMax = 32;
/** resolv.conf(5) defaults of `timeout` and `attempts`. */
export const dnsServerTimeoutDefault: Millis = seconds(5);
export const dnsAttemptsDefault = 2;
/** A healthy server answers what it need not ask others in less; and a check with a timeout of a few seconds still hears the next. */
export const dnsNextServerAfter: Millis = seconds(1);
/** A name server that kept silent is asked again this long after, in addition to one that answers. */
export const silentServerAgainAfter: Millis = seconds(10);
/** So many silent ones are remembered: monitors name servers too, and the oldest is forgotten first. */
export const silentServersMax = 64;
/** RFC 8305 §3: how long a look-up waits for the other family once it has one. */
export const dnsResolutionDelay: Millis = millis(50);
/** libuv gives getaddrinfo half of its four threads; more at once would only queue where they cannot be taken back. */
export const systemLookupsAtOnceMax = 2;

/* Files of the system */

/** hosts, resolv.conf and the machine's own addresses are looked at again after this; a change shows within seconds. */
export const systemFileLookEvery: Millis = seconds(5);
/** Ad-blocking hosts files have megabytes; past this it is not a hosts file. */
export const systemFileBytesMax: Bytes = mebibytes(8);
/** The kernel's list of IPv6 addresses has 55 bytes for each: nodes of a cluster have hundreds of interfaces. */
export const interfaceListBytesMax: Bytes = kibibytes(256);

/* What `picket check --explain` keeps */

/** What `--explain` keeps of a request: more than the head of one with headers of ordinary size. */
export const transcriptRequestBytesMax: Bytes = kibibytes(64);
/** What it keeps of a response: the largest head, interim ones before it, and the first of its body. */
export const transcriptResponseBytesMax: Bytes = kibibytes(320);
/** One answer is expected to a query; a few more show that another server answers too. */
export const transcriptMessagesMax = 8;
/** This much of a body, or of what is no HTTP, is enough to recognise an error page, or a protocol by its greeting. */
export const explainedBodyBytesMax: Bytes = kibibytes(1);
/** More than EDNS lets over UDP: past this a hex dump is no longer read by eye. */
export const explainedMessageBytesMax: Bytes = kibibytes(2);

/* Raw sockets */

/** What a raw socket sends or receives in one call; a larger one saves few calls, and evicts more of the caches. */
export const rawMessageBytesMax: Bytes = kibibytes(64);
/** Changes of raw sockets that are looked at before the runtime's own events have their turn. */
export const rawChangesMax = 256;
/**
 * A thread that works on a change for longer looks for others before it works on the next: an instant that is not stamped
 * lies between two looks. A look takes 2 µs.
 */
export const rawLookAfter: Nanos = nanos(100_000);
/** What came at an instant that is known to this is read at once: to look at packets one by one takes some ten calls of 1 µs. */
export const rawBlurMin: Nanos = nanos(100_000);
/** Messages whose packets are looked at one by one: a handshake's flight has six at most, an answer fewer. */
export const rawMessagesApartMax = 8;
/** Raw descriptors of one thread: more than checks and their addresses need, and more than most systems permit. */
export const rawDescriptorsMax = 16_384;
/** Nothing is missed in a sleep; should the runtime ever forget to wake a thread, it loses no more than this. */
export const rawSleepMax: Millis = seconds(1);
/** An idle processor takes some tens of microseconds to wake, a virtual one more; longer ones are rare, and shown as less. */
export const rawWakeDelayMax: Nanos = nanos(200_000);
/** So many arrivals after the longest wake-up it counts for a third of what it was. */
export const rawWakeDelayKept = 64;
/** The usual wake-up follows what each took by this part of the difference, and in steps of a quarter at most, or of this. */
export const rawWakeUsualOf = 8;
export const rawWakeStepMin: Nanos = nanos(5_000);
/** The kernel's time of a handshake is off by less from when its packets pass the network: they wait for a processor like others. */
export const rawHandshakeErrorMax: Nanos = nanos(100_000);
/** The call that sends a SYN has sent it by then, unless its thread lost the processor before that: half of a usual call. */
export const rawSynAfter: Nanos = nanos(20_000);
/** The self-test of raw sockets is a few packets on loopback. */
export const rawSelfTestMax: Millis = seconds(2);
/** One that fails on a busy machine fails by chance; of an overloaded one's starts, one in fifty failed three in a row. */
export const rawSelfTestsMax = 5;
/** Between two of them: what made the machine busy may be over. Where raw sockets cannot work, a start takes this much longer. */
export const rawSelfTestPause: Millis = millis(300);
/** What TLS is given at once: one record, as the runtime gives it. */
export const rawTlsTurnBytesMax: Bytes = kibibytes(16);
/** OpenSSL accepts no longer chain of certificates in a handshake, 100 KiB by itself. */
export const certificateBytesMax: Bytes = kibibytes(128);
/** A thread believes whom the agent believes, and itself while it warms up; each takes up to some megabytes. */
export const tlsContextsMax = 4;
/** What a peer's messages of TLS may have us answer after the handshake: hundreds of new keys, where peers want none. */
export const tlsAnswersBytesMax: Bytes = kibibytes(16);
/** Chains of certificates that are kept as they were read, some kilobytes each; peers beyond these are read each time. */
export const chainsKeptMax = 1_024;
/** Hosts of which is kept whether one chain is for them: more than a certificate names without a wildcard. */
export const chainHostsKeptMax = 256;
/** Datagrams of one raw socket that are read before others have their turn: a flood delays them by a millisecond. */
export const rawDatagramsAtOnceMax = 64;
