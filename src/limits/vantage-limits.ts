import { type Bytes, hours, kibibytes, type Millis, millis, minutes, seconds } from "#base/units";

/* How an agent learns that its own place is at fault. */

/* Files of the machine */

/** The kernel's table of routes has 128 bytes for each: nodes of a cluster have some hundreds. */
export const machineFileBytesMax: Bytes = kibibytes(256);
/** Nodes of a cluster have an interface a pod; those that carry checks are among the first. */
export const interfacesLookedAtMax = 64;
/** The path of a control group. */
export const groupNameBytesMax: Bytes = kibibytes(4);
/** Looks at this machine's files are shared by all failures within this time; one takes a millisecond. */
export const machineLookKept: Millis = millis(100);
/** What only goes into evidence, and decides nothing, is read once a second for all that fails. */
export const machineLookShared: Millis = seconds(1);

/* When a place is suspect */

/**
 * Hosts that fail in a row before the agent suspects its own place. Simulated over 40 hours with 20 monitors that fail by
 * themselves in 5 % of an hour's checks: two are wrong 7 times an hour, three 0.4 times, four never but are slower.
 */
export const suspectHostsMin = 3;
/** Monitors that share a host or a port, before that is named as what they have in common. */
export const sharedMonitorsMin = 2;
/** The share of the present failures that a cause has to explain. */
export const causeCoverMin = 0.9;
/**
 * Packets may be lost where a fifth of the last thirty checks was, in four runs or more: with a third lost by chance it is
 * nearly always so, and a target that fails by itself, or an outage that is over, is one run of one host or of all.
 */
export const lossLookedAt = 30;
export const lossShareMin = 0.2;
export const lossRunsMin = 4;
/** Checks of before say nothing of the way now. */
export const lossRemembered: Millis = minutes(30);
/** Throttling is a share of at least this time: of a few milliseconds it is nothing or all. */
export const throttledOver: Millis = seconds(1);
/** The share of the time in which a throttled control group makes timeouts untrustworthy. */
export const throttledShareMax = 0.25;
/** Past the first, a clock is not kept by NTP; past the second, results lie in other slots than they say. */
export const clockSkewOdd: Millis = seconds(5);
export const clockSkewMax: Millis = seconds(60);
/** Conditions that are kept open at one time: a machine has fewer links, gateways, servers and proxies. */
export const conditionsMax = 64;

/* Packets that look for a way */

/**
 * Packets a minute of all that is looked up, also when everything is down: 60, in shares, so that no question starves
 * another. Name servers: three of them every 12 s.
 */
export const namePacketsPerMinute = 16;
/** Whether a gateway passes packets on: four packets every 12 s. */
export const gatewayPacketsPerMinute = 20;
/** Ways to targets: one long trace, or three short ones. */
export const tracePacketsPerMinute = 24;
/** A question that was asked a moment ago has the same answer; all who fail meanwhile share it. */
export const questionEvery: Millis = seconds(5);

/** The silence of one reference may be its own; with a target, two are the three hosts of a suspicion. */
export const referencesMin = 2;
/** More would say no more: one that answers is enough. */
export const referencesMax = 4;
/** Two questions for its name, and what opens and closes a connection; four of them fit the minute's packets for ways. */
export const referencePackets = 6;
/** A connection that is open by then makes the next one unneeded. */
export const nextReferenceAfter: Millis = millis(200);
/** Before the kernel would send a second packet, and half of what a failure may wait. */
export const referencePatience: Millis = millis(950);

/** A reference's silence is of the failure that it was asked for. It is forgotten after twice this, which no failure waits. */
export const referenceKept: Millis = seconds(10);

/** While a proxy is dead, and no check asks it. Its packets are of the same minute's as those for ways. */
export const proxyAskAgainEvery: Millis = seconds(15);

/** Of a path trace, one packet each: the internet has few longer ways, and a private network none. */
export const traceHopsMax = 16;
/** A router answers one sender about six times at once, and once a second then. */
export const traceWave = 4;
/** Ways around the world take 0.3 s; the kernel would repeat a packet after a second. */
export const traceWavePatience: Millis = millis(400);
export const traceLookEvery: Millis = millis(20);
/** Traces of one agent, whatever fails: routers on the way answer all of them. */
export const traceEvery: Millis = seconds(10);
/** Traces to one address. */
export const traceTargetEvery: Millis = minutes(10);
/** Addresses that are remembered as traced: 24 packets a minute are fewer traces than this in ten minutes. */
export const tracedTargetsMax = 240;

/** Ways that are learned while all is well, with PICKET_EVIDENCE=full: one now and then, each again when it is this old. */
export const waysLearnPace: Millis = seconds(30);
export const wayLearnEvery: Millis = hours(6);
/** At that pace so many are learned in six hours; the oldest is forgotten for a new one. */
export const waysKnownMax = 720;
/** The first steps to so many addresses are remembered while the routes stay: of the others they are looked for anew. */
export const firstStepsKeptMax = 1_000;
/** Those that wait to be learned come again with their next check. */
export const waysWantedMax = 64;

/** RFC 9293 §3.7.1: what every path of IPv4 carries, so that a link that drops more is not in its way. */
export const narrowSegmentBytes = 536;
/** Enough for some packets of the largest size; a longer answer is cut. */
export const narrowBodyBytesMax: Bytes = kibibytes(16);
/** Of a check that is repeated with small packets and with large ones, our own: acknowledgements for the most. */
export const narrowPackets = 24;

/** Of a connection that goes around the proxy: a question for each family, the handshake, and its end. */
export const directPackets = 6;

/** The gateway and the router behind it: what lies further says nothing of the gateway. */
export const gatewayHops = 2;
/** Silence towards one address may be that address's own. */
export const gatewayEnds = 2;
/** Addresses behind a gateway that are remembered, so that two of them can be asked. */
export const gatewayEndsMax = 4;
/** One with a small TTL, or, without node:ffi, what opens and closes a connection: five times a minute fit its packets. */
export const knockPackets = 4;
/** While a gateway is dead, and no check comes through it. */
export const gatewayAskAgainEvery: Millis = seconds(12);
/** Machines have one gateway, or one for each of some networks. */
export const gatewaysMax = 16;
/** How long it holds that a gateway answers packets with a small TTL: routers are replaced, and get other rules. */
export const gatewayLearnEvery: Millis = hours(6);
/** One that did not answer may have lost the packet, or have answered others too often. */
export const gatewayLearnAgainEvery: Millis = minutes(10);

/* What goes to the service */

/** Evidence of one result: a path of 16 hops and ten name servers fit, and a mass outage fills no spool with it. */
export const evidenceBytesMax: Bytes = kibibytes(2);
/** A machine has three at the most by resolv.conf(5), and PICKET_DNS_SERVERS seldom more. */
export const resolversReadMax = 16;
/** While a monitor keeps failing in the same way: what is looked up says the same again. */
export const evidenceEvery: Millis = minutes(10);

/* How often is looked, and how long is waited */

/** resolv.conf(5): the shortest time after which the next name server is asked. Names that take longer hint at a silent one. */
export const slowNames: Millis = seconds(1);
/** While all is well: what is throttled is a share of the time since the last look. */
export const vantageIdleLookEvery: Millis = seconds(30);
/** A condition ends with two good looks this far apart, and while one is open this is how often is looked. */
export const vantageLookEvery: Millis = seconds(5);
/** How often is looked meanwhile. */
export const patientLookEvery: Millis = millis(500);
/** How long a failure waits for the machine's own evidence before it is reported. */
export const evidencePatience: Millis = seconds(2);
/**
 * The kernel mostly notices within 2.5 to 15 s that a gateway is gone, and up to 45 s later where it had an answer shortly
 * before. Only failures of a suspect place wait for that, and only if the first routers cannot be asked.
 */
export const gatewayPatience: Millis = seconds(15);
