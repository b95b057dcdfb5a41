import {
  bytes,
  type Bytes,
  hours,
  kibibytes,
  mebibytes,
  type Millis,
  millis,
  minutes,
  type Nanos,
  nanos,
  seconds,
} from "#units";

/* Every limit and its reason, in one place; read as `limits.name` (import * as limits). */

// From the service's specification (§2, §8).
export const nameCharsMax = 256;
export const targetCharsMax = 2048;
export const descriptionCharsMax = 1024;
export const headersMax = 20;
export const assertionsMax = 10;
export const timeoutMax: Millis = millis(120_000);
export const timeoutDefault: Millis = millis(45_000);
export const retryMax = 10;
export const retryDefault = 3;
/** Headers, or assertions of one kind, that a service may give to one monitor: its own dashboard has no count. */
export const assignedEntriesMax = 500;
/** A word of somebody else's that a sentence of ours quotes; what is wrong with it shows at its beginning. */
export const quotedCharsMax = 64;
export const statusCodeMin = 100;
export const statusCodeMax = 599;
export const monitorsListMax = 100;
export const monitorsListDefault = 50;

/** A header value longer than most servers' whole head is a mistake. */
export const headerValueBytesMax: Bytes = kibibytes(16);
/** A request body is configuration: it travels in every pull. */
export const requestBodyBytesMax: Bytes = mebibytes(1);
/** A target string of an assertion is kept in memory for each monitor. */
export const assertionTargetCharsMax = 4096;

/** Browsers stop at 20, curl at 50 by default off; ten is more than any healthy site needs. */
export const redirectsMax = 10;
/** What a person may ask of one check: curl's own limit. Each redirect is a connection to somewhere else. */
export const redirectsAskedMax = 50;
/** Rounds of `picket check --repeat`: at one a second more than a day; each keeps its figures for the summary. */
export const repeatMax = 100_000;
/** Faster than this is a load test, which a check is not. */
export const repeatEveryMin: Millis = millis(100);
export const repeatEveryDefault: Millis = seconds(1);
/** Different sentences of failures that a summary lists; a person reads no more. */
export const repeatFailuresMax = 20;
/** Monitors of which `picket status` says where and why they fail: two calls each, and a service takes 60 at once. */
export const statusDetailsMax = 20;
/** A person watches a terminal no faster, and a key has 20 calls a second. */
export const statusWatchEvery: Millis = seconds(5);
/** Results that `picket results` reads: a day of the shortest period at three locations. */
export const resultsShownMax = 10_000;
export const resultsShownDefault = 20;
/** Less than the first flight of a TCP connection (RFC 6928: ten segments) and than Linux's smallest send buffer. */
export const requestSentAtOnceMax: Bytes = kibibytes(8);
/** Past this a response head is an attack or a fault; Chrome refuses 256 KiB. */
export const responseHeadBytesMax: Bytes = kibibytes(300);
/** The answer to a CONNECT has a few lines; what a proxy says past this is no tunnel. */
export const proxyHeadBytesMax: Bytes = kibibytes(16);
/** The size of a chunk and its extensions, which are never used: curl stops at 16 digits, Go at 4 KiB. */
export const chunkLineBytesMax: Bytes = kibibytes(4);
/** A connection is read up to here before others have their turn: a peer that floods delays them by a millisecond. */
export const http1TurnBytesMax: Bytes = kibibytes(64);
/** The same over HTTP/2, where ten bytes make a frame that costs some microseconds. */
export const http2TurnBytesMax: Bytes = kibibytes(16);
/** A head over HTTP/2 may continue in eight frames (nghttp2's own limit) of 16 KiB; its first frame makes nine. */
export const http2HeadFramesMax = 9;
export const http2HeadBytesMax: Bytes = kibibytes(9 * 16);
/** HTTP/2 counts 32 bytes a header line beside its text (RFC 9113 §6.5.2): no more than these fit a head. */
export const http2HeadPairsMax: number = Math.floor(responseHeadBytesMax / 32);
/** Frames that carry nothing of the answer: settings, pings, windows. A peer that sends more never means to answer. */
export const http2IdleFramesMax = 1_000;
/** What a peer may send ahead over HTTP/2 on one stream, and on the connection: 10 MiB a second from 25 ms away. */
export const http2StreamWindowBytes: Bytes = kibibytes(256);
export const http2ConnectionWindowBytes: Bytes = kibibytes(512);
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
/** The first memory for a body: most are shorter; it doubles as more comes. */
export const bodyBytesFirst: Bytes = kibibytes(16);
/** A 100, a few 102 and 103; a peer that sends more never means to answer. */
export const interimResponsesMax = 32;
export const responseBodyBytesDefault: Bytes = mebibytes(10);
/** A degraded result carries its body to the service up to here (wire.md §3). */
export const reportedBodyBytesMax: Bytes = kibibytes(64);
/** Names of response headers whose spelling is remembered: a peer that invents names is not. */
export const headerNamesKeptMax = 1_000;
/** What `--explain` keeps of a request: more than the head of one with headers of ordinary size. */
export const transcriptRequestBytesMax: Bytes = kibibytes(64);
/** What it keeps of a response: the largest head, interim ones before it, and the first of its body. */
export const transcriptResponseBytesMax: Bytes = kibibytes(320);
/** One answer is expected to a query; a few more show that somebody else answers too. */
export const transcriptMessagesMax = 8;
/** This much of a body, or of what is no HTTP, is enough to recognise an error page, or a protocol by its greeting. */
export const explainedBodyBytesMax: Bytes = kibibytes(1);
/** More than EDNS lets over UDP: past this a hex dump is no longer read by eye. */
export const explainedMessageBytesMax: Bytes = kibibytes(2);
/** An error bar over both of these, the second a share of the whole, makes a figure uncertain. */
export const errorBarMax: Nanos = nanos(1e6);
export const errorBarShareMax = 0.1;
/** A pause of the process is noticed to this: 20 wakes a second of some 10 µs, and only while checks run. */
export const pauseBeatEvery: Millis = millis(50);
/** Timers of the runtime and the system are late by a few milliseconds without any pause. */
export const pauseMin: Nanos = nanos(10e6);
/** A failed assertion quotes what it saw up to here. */
export const receivedCharsMax = 256;
/** A message is a sentence, not a document. */
export const messageCharsMax = 1024;
/** An id that a peer sent, in a sentence: longer than any of ours. */
export const messageIdCharsMax = 64;

/** Happy Eyeballs (RFC 8305 §5): the next address starts this long after the last. */
export const nextAddressAfter: Millis = millis(250);
/** More addresses than this for one name are not dialled one by one. */
export const addressesMax = 16;

/** Each rule of the target guard is checked against each address that is dialled. */
export const targetRulesMax = 1_000;
/** As many as an agent has monitors, at about 100 bytes each; a host whose addresses change forever is begun anew. */
export const guardAnswersKeptMax = 20_000;

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

/** The kernel's table of routes has 128 bytes for each: nodes of a cluster have some hundreds. */
export const machineFileBytesMax: Bytes = kibibytes(256);
/** Nodes of a cluster have an interface a pod; those that carry checks are among the first. */
export const interfacesLookedAtMax = 64;
/** The path of a control group. */
export const groupNameBytesMax: Bytes = kibibytes(4);
/**
 * Hosts that fail in a row before the agent suspects its own place. Simulated over 40 hours with 20 monitors that fail by
 * themselves in 5 % of an hour's checks: two are wrong 7 times an hour, three 0.4 times, four never but are slower.
 */
export const suspectHostsMin = 3;
/** Monitors that share a host or a port, before that is named as what they have in common. */
export const sharedMonitorsMin = 2;
/** The share of the present failures that a cause has to explain. */
export const causeCoverMin = 0.9;
/** A condition ends with two good looks this far apart, and while one is open this is how often is looked. */
export const vantageLookEvery: Millis = seconds(5);
/** While all is well: what is throttled is a share of the time since the last look. */
export const vantageIdleLookEvery: Millis = seconds(30);
/** Looks at this machine's files are shared by all failures within this time; one takes a millisecond. */
export const machineLookKept: Millis = millis(100);
/** How long a failure waits for the machine's own evidence before it is reported. */
export const evidencePatience: Millis = seconds(2);
/**
 * The kernel mostly notices within 2.5 to 15 s that a gateway is gone, and up to 45 s later where it had an answer shortly
 * before; only failures of a suspect place wait for that.
 */
export const gatewayPatience: Millis = seconds(15);
/** How often is looked meanwhile. */
export const patientLookEvery: Millis = millis(500);
/** The share of the time in which a throttled control group makes timeouts untrustworthy. */
export const throttledShareMax = 0.25;
/** Conditions that are kept open at one time: a machine has fewer links, gateways, servers and proxies. */
export const conditionsMax = 64;

/** probing.md §1: pause before retry n is 500 ms × 1.5ⁿ, jittered by this share. */
export const retryPause: Millis = millis(500);
export const retryPauseGrowth = 1.5;
export const retryPauseJitter = 0.2;

/** A new monitor's first check starts within this time, so that a person who adds one sees it work. */
export const firstCheckWithin: Millis = seconds(5);
/** A slot that could not start within this time is skipped and counted: a late check is not that slot's check. */
export const slotLatenessMax: Millis = seconds(5);
export const monitorsPerAgentMax = 20_000;
/** Remarks on an assignment that are kept to be shown: past these, a person fixes the cause, not each one. */
export const remarksKeptMax = 1_000;
/** Remarks of one assignment that get a line of the log each. */
export const remarksLoggedMax = 20;
/** Remarks that the agent's page lists; /status has all that are kept. */
export const remarksShownMax = 20;

/** One call to the service. The existing server reads for 10 s, so a longer wait cannot succeed. */
export const serviceCallTimeout: Millis = seconds(15);
/** A connection to the service, through its proxy: less than a call, so that the message names what stood in the way. */
export const serviceDialTimeout: Millis = seconds(10);
/** Many servers close what is idle after 5 s: a call on a connection that is being closed would fail. */
export const serviceIdleMax: Millis = seconds(4);
/** Every system's whole bundle of authorities fits many times. */
export const trustFileBytesMax: Bytes = mebibytes(4);
/** A token is one header value. */
export const tokenFileBytesMax: Bytes = kibibytes(16);
/** A pull of 20,000 monitors with bodies fits; more is not an assignment. */
export const serviceAnswerBytesMax: Bytes = mebibytes(64);
/** The largest answer of a service, in base64, and a little around it. */
export const assignmentFileBytesMax: Bytes = mebibytes(88);
/** Fifty a monitor for as many as one agent runs; decoding them takes half a second. */
export const assignmentElementsMax = 1_000_000;
/** Every other answer: 500 receipts with their reasons. */
export const serviceWordBytesMax: Bytes = mebibytes(2);
export const serviceWordElementsMax = 10_000;
/** A failed call is answered with a sentence; what is longer is known by its status. */
export const serviceErrorBytesMax: Bytes = kibibytes(64);
/** So many monitors may be new at once and are all checked within five seconds: a core and its threads start 1,000 a second. */
export const firstChecksAtOnce = 5_000;
/** Past them, first checks begin at most so often, so that a service that invents monitors makes no flood. */
export const firstChecksPerSecond = 200;
/** What a service may push in one span: a change a second and every check now, many times over. */
export const watchMessagesMax = 1_000;
export const watchMessagesSpan: Millis = seconds(10);
/** An id names a result, a metric and a line of the log; ours have 36 characters. */
export const monitorIdCharsMax = 256;
export const ingestBatchMax = 500;
/** Agents that use one state directory at one time: a rolling update has two of them, a mistake seldom more. */
export const agentsPerStateDirectoryMax = 16;
/** How often an agent looks whether another of its state directory has ended and left results. */
export const leftResultsLookEvery: Millis = seconds(10);
/** Results that are taken over in one turn, which takes some 20 ms of the main thread. */
export const leftResultsAtOnce = 1_000;
/** The spool in memory, when there is no disk: about an hour of 300 results a second would be more than 1 GB. */
export const memorySpoolResultsMax = 20_000;
/** As bytes: a thousand results with full bodies of 64 KiB, in a container of a few hundred MiB. */
export const memorySpoolBytesMax: Bytes = mebibytes(64);
/** How often results are made durable: what a kill -9 can cost beside a crossing, and how many share one fsync. */
export const spoolSaveEvery: Millis = seconds(1);
/** What a result takes in the file beside its payload: ids, both indexes, pages that are not full. Measured: 270. */
export const spoolRowBytes: Bytes = bytes(320);
/** A page of the file, as SQLite has it by default. */
export const spoolPageBytes: Bytes = kibibytes(4);
/** The file may be this much larger than its rows are counted, before the database itself says that it is full. */
export const spoolFileShareMax = 2;
export const spoolFileBytesMin: Bytes = mebibytes(4);
/** SQLite's journal is cut back to this after it grew: as long as it gets in ordinary use (1,000 pages). */
export const spoolJournalBytesMax: Bytes = mebibytes(4);
/** Free pages past this, 8 MiB, go back to the file system, so many at a time: 2 MiB a second cost nothing. */
export const spoolFreePagesMax = 2_048;
export const spoolShrinkPages = 512;
/** A disk that fails is tried again after this; meanwhile memory has room for it. */
export const spoolRetryPause: Millis = seconds(10);
/** Settled rows that wait for the next save are passed over by every read; more than this are deleted at once. */
export const spoolSettledMax = 2_000;
/** Files set aside hold results that somebody may want; a fault that comes back may not fill the disk with them. */
export const spoolsAsideMax = 3;
export const reportConcurrency = 4;
/** Fast first, then patient: a service that restarts is found again within seconds. */
export const backoffFirst: Millis = millis(500);
export const backoffMax: Millis = minutes(1);
/** A service that had a call and says so often in a row that it has none was replaced by an older one. */
export const extensionDenialsMax = 3;
/** An older server is asked again for the extension after this. */
export const extensionAskAgainAfter: Millis = hours(1);
/** How often a 500 to one result is borne while others are taken: an unknown monitor answers 500 forever. */
export const ingestAttemptsMax = 8;
/** The same while nothing else is there to be taken, but pulls succeed: at one try a minute, about two hours. */
export const ingestAttemptsAloneMax = 120;
/** Plain calls that fail with 500 in a row, one each of other monitors, before the service is left alone for a while. */
export const ingestFailuresInRowMax = 8;
/** Monitors that the service fails on and that are tried again at one time, each with a call of its own. */
export const suspectsAtOnceMax = 8;
/** A call's bytes, unless one result is larger: a tenth of what our service takes, and 15 s on a line of 3 Mbit/s. */
export const ingestBatchBytesMax: Bytes = mebibytes(4);
/** Backlog a second in batches: an outage of a day of 1,000 monitors at 30 s is made up for in half an hour. */
export const replayBatchedPerSecond = 2_000;
/** Backlog a second by plain calls: each is a request of its own for a service that many agents come back to. */
export const replaySinglyPerSecond = 100;
/** What may happen with every result is said once in this time. */
export const sameWarningEvery: Millis = minutes(1);

/** The service calls a location dead after this long without a heartbeat: three missed. */
export const heartbeatLostAfter: Millis = seconds(90);
export const heartbeatIntervalDefault: Millis = seconds(30);
/** A busy agent reports ten times a second, and each sign of it that is noted waits for the disk. */
export const signNotedEvery: Millis = seconds(1);
/** An agent of another make sends no heartbeats and pulls every ten minutes; one minute is for the way. */
export const pullLostAfter: Millis = minutes(11);
/** A check with many long attempts still counts as one that should have ended by then. */
export const longestCheckCounted: Millis = minutes(5);
/** What a result may take from its agent's spool to the service before its monitor is unknown. */
export const viewFreshMargin: Millis = seconds(30);
/** How often the service looks for monitors and locations that have gone silent: silence makes no call. */
export const judgeEvery: Millis = seconds(5);
/** Monitors are judged in so many parts, which replicas share: more than anybody runs of them. */
export const judgeParts = 16;
/** How often a replica asks for its part of the work, and for how long it has it: twice it may be late. */
export const leaseAskedEvery: Millis = seconds(3);
/** With the pause above, what a replica did that is gone is another's within 15 s. */
export const leaseLength: Millis = seconds(10);
/** Monitors that are judged in one go when a location goes silent; calls are answered in between. */
export const judgedAtOnce = 500;

/*
 * Several agents that share one location. From the last sign of an agent that is lost to the first check of its
 * monitors elsewhere: 45 s until it counts as lost, then the next heartbeat of another learns of it (10 s, and 15 s
 * where the one before it hung), it pulls (15 s at most), and checks what was missed within 5 s. 90 s where every call
 * takes as long as one may, 60 s where they are quick.
 */
/** One heartbeat that hung for its whole 15 s, and the next one, do not make an agent lost. */
export const shareLostAfter: Millis = seconds(45);
/** How often agents that share say that they live; one that is alone need not say it so often. */
export const shareHeartbeatInterval: Millis = seconds(10);
/** A service that was away has heard no agent: it waits for one heartbeat of each agent, and one call that hangs. */
export const shareStartGrace: Millis = seconds(25);
/** Where the others fell silent within two heartbeats of it, the way was cut, not this agent lost. */
export const shareOutlivedBy: Millis = seconds(20);
/** An agent that was gone takes nothing from the others before this: longer than one that dies again takes to be lost. */
export const shareProvingTime: Millis = minutes(2);

/** A monitors file is written by hand or by a template; this is thousands of monitors. */
export const monitorsFileBytesMax: Bytes = mebibytes(1);
/** Files of one configuration: a folder for each team, not one for each monitor. */
export const configurationFilesMax = 1_000;
/** YAML aliases can make a small file say an endless lot; a file without them cannot say more than this. */
export const monitorsFileValuesMax = 500_000;
/** Nobody reads more mistakes than this before fixing the first. */
export const mistakesShownMax = 100;
/** The live view's memory of each monitor: as many latencies as its sparkline is wide. */
export const sparklineWidth = 20;
/** A live view that redraws more often is not calm. */
export const viewRedrawEvery: Millis = millis(250);
/** How often the live view asks the service for the location's status. */
export const viewLocationEvery: Millis = seconds(2);
/** A thread that has not warmed up by then is cold for another reason, and is needed now. */
export const warmUpMax: Millis = seconds(2);
/** Results wait in their thread for company at most this long, or until there are so many: each crossing wakes both. */
export const crossingEvery: Millis = millis(100);
export const crossingBatchMax = 64;
/** Checks that are aborted end within milliseconds; a thread that does not let them go is ended itself. */
export const checksAbortWithin: Millis = seconds(2);
/** A probe thread that dies at once would otherwise be restarted in a tight loop. */
export const probeThreadRestartPause: Millis = seconds(1);
/** Pages of monitors or locations are read up to here: several agents' worth, and an end for a list without one. */
export const managedListMax = 100_000;
/** RFC 8305 §3: how long a look-up waits for the other family once it has one. */
export const dnsResolutionDelay: Millis = millis(50);
/** hosts, resolv.conf and the machine's own addresses are looked at again after this; a change shows within seconds. */
export const systemFileLookEvery: Millis = seconds(5);
/** Ad-blocking hosts files have megabytes; past this it is not a hosts file. */
export const systemFileBytesMax: Bytes = mebibytes(8);
/** The kernel's list of IPv6 addresses has 55 bytes for each: nodes of a cluster have hundreds of interfaces. */
export const interfaceListBytesMax: Bytes = kibibytes(256);
/** libuv gives getaddrinfo half of its four threads; more at once would only queue where they cannot be taken back. */
export const systemLookupsAtOnceMax = 2;
/** NTP slews by 0.5 ms a second and steps from 128 ms on; below this a slot moves by less than anybody sees. */
export const wallStepMin: Millis = millis(500);
/** The service takes over a clock that was set after this: a wrong one is mostly set right sooner. */
export const wallStepTakenAfter: Millis = minutes(10);
/** How often the service looks whether its clock was set. */
export const wallLookEvery: Millis = seconds(1);
/** Clocks without NTP are some minutes apart; a result from further ahead would stand as the newest until then. */
export const resultAheadMax: Millis = minutes(5);
/** Whoever asks for the service's health has it write at most this often. */
export const serviceHealthEvery: Millis = seconds(5);
/** How many starts the lateness figures are made of: some seconds of a full agent, half an hour of a small one. */
export const latenessSamples = 4_096;
/** The wall clock may be set while the scheduler sleeps; it looks again at least this often. */
export const scheduleLookEvery: Millis = seconds(1);
/** Results wait at most this long for company before they are reported. */
export const reportEvery: Millis = seconds(1);
/** A heartbeat interval that a service asks for stays within these. */
export const heartbeatIntervalMin: Millis = seconds(5);
export const heartbeatIntervalMax: Millis = minutes(5);
/** A wait that a service asks for by Retry-After is kept, up to here. */
export const retryAfterMax: Millis = minutes(10);

/** As many as the system hands over in one go (a backlog of 511), so that none is dropped before it is read; 6 MB. */
export const endpointConnectionsMax = 512;
/** Browsers send 1 KiB; whoever sends more than this is no reader of ours. */
export const endpointHeadBytesMax: Bytes = kibibytes(8);
/** A reader on this machine or in this network sends a request without a body within this time. */
export const endpointRequestTimeout: Millis = seconds(5);
/** Prometheus comes in pairs; a third reader of everything at once would take the processor from checks. */
export const scrapesAtOnceMax = 2;
/** Whoever has not read the metrics by then holds up the next: Prometheus gives a scrape 10 s by default. */
export const scrapeWithin: Millis = seconds(60);
/** A piece of the metrics' text takes a millisecond or two to make, and the main thread is free between two. */
export const metricsPieceChars = 65_536;
/** How much of the monitors one answer lists, unless asked for more, and at most: 1,000 of them take 1.2 MB. */
export const monitorsShownDefault = 100;
export const monitorsShownMax = 1_000;
/** What is kept of each monitor for people: as many latencies as a glance takes in. */
export const monitorHistoryMax = 20;
/** How often they are kept for a restart. A kill loses the newest minutes of them; 1,000 monitors take 600 KB each time. */
export const historySaveEvery: Millis = minutes(5);
/** As many monitors as an agent runs, with URLs of the usual length; a larger file is not ours. */
export const historyFileBytesMax: Bytes = mebibytes(16);
/** Past this many monitors a page gives each one line, so that a screen shows what fails and much of the rest. */
export const monitorsInFullMax = 50;
/** A picture of the service that is this old is shown again: a person does not see it, and a wall of screens asks as one. */
export const pictureFreshFor: Millis = seconds(2);
/** Monitors whose days are read in one question; a thousand of 90 days would hold up the others for a quarter second. */
export const picturedAtOnce = 250;
/** The overview's bar: a quarter. */
export const daysShown = 90;
/** What is usual is the median of a week, so that weekends are in it. */
export const usualDays = 7;
/** Days before today change only when a backlog comes. */
export const pastReadEvery: Millis = hours(1);
/** More sentences than this are not read at night; the rest have their verdict. */
export const reasonsReadMax = 500;
/** Lines of one overview: as many monitors as one agent's location usually has, and 60 KB on the way. */
export const overviewMonitorsMax = 1_000;
/** Two monitors that fail alike are a chance; three have one cause. */
export const causeMonitorsMin = 3;
/** What a person types to find a monitor. */
export const pageFilterCharsMax = 256;
/** Labels that a list offers; any other can be written into the address. */
export const labelsOfferedMax = 200;
/** A latency is unusual when it is twice the usual one, and by at least this: less is not felt. */
export const unusualMin: Millis = millis(20);
/** A person signs in once a working week; a key that is revoked ends its sessions at once. */
export const sessionLength: Millis = hours(7 * 24);
/** Whoever mistypes does not do it more often; whoever guesses has 7,200 tries a day, of 2²⁵⁶ keys. */
export const signInTriesPerAddressMax = 5;
export const signInTriesMax = 60;
export const signInWindow: Millis = minutes(1);
/** A password is typed; as long as a sentence, and no work for the hash beyond. */
export const passwordCharsMin = 12;
export const passwordCharsMax = 256;
/** A form of ours has a token and a word or two. */
export const formBytesMax: Bytes = kibibytes(8);
/** What is shorter gains nothing from being compressed. */
export const compressedFrom: Bytes = kibibytes(1);
/** Looks and script of the pages change with the program; a reader asks again after this. */
export const assetFreshFor: Millis = minutes(10);
/** Results that a chart of an hour shows singly: of one a second, a quarter of an hour. */
export const chartPointsMax = 1_000;
/** Results that a page lists. */
export const resultsListedMax = 20;
/** A day counts as down from here on: what a person would call an outage, and 0.1 % of what is known of a short day. */
export const dayDownMin: Millis = minutes(1);
export const dayDownShareMin = 0.001;
/** One slow check in a hundred is a target's ordinary life; more of them are a slow day. */
export const daySlowShareMin = 0.01;
/** A sentence of the last check, and each thing seen in it, are kept up to here: 1 KiB a monitor in all. */
export const keptMessageCharsMax = 400;
export const keptFactCharsMax = 120;
/** The scheduler looks at the clock every second; after this it is stuck, not late. */
export const tickAgeMax: Millis = seconds(15);
/** A thread is replaced and warm within three seconds; after this it will not come. */
export const probesStuckMax: Millis = seconds(30);
/** A page that refreshes itself more often is not read. */
export const pageRefreshEvery: Millis = seconds(10);
/** systemd's status line is read by people; a shorter watchdog has it written more often. */
export const supervisorToldEvery: Millis = seconds(5);
/** After the drain come the last metrics and the ends of threads and files; the unit's TimeoutStopSec=45s leaves as much. */
export const supervisorStopRest: Millis = seconds(15);
/** systemd waits so long for the next word of a long start: on a slow disk the next 100,000 results take two minutes. */
export const supervisorStartRest: Millis = minutes(5);
/** `picket health` answers within this: container runtimes give their health checks 30 s, and some people 5. */
export const healthCallTimeout: Millis = seconds(3);
/** What `picket doctor` reads of an agent's status with one monitor, which is a few KiB with long names. */
export const statusAskedCharsMax = 65_536;

/** A self-hosted service is for one team; these stop a script that runs away, not a person. */
export const serviceMonitorsMax = 50_000;
export const serviceLocationsMax = 1_000;
export const serviceApiKeysMax = 1_000;
/** Other headers that a key is taken from: a tool or two of an operator's own. */
export const keyHeadersMax = 8;
/** By these a person knows a key again, and nobody guesses it: `pkt_key_` and four characters. */
export const keyPrefixChars = 12;

/** Tokens of one location that work at the same time: rotations whose overlaps have not passed. */
export const locationTokensMax = 10;
export const metadataLabelsMax = 64;
/** A location's own labels, as the public contract bounds them. */
export const locationLabelsMax = 20;
export const locationLabelCharsMax = 64;
export const locationValueCharsMax = 256;
/** What a person's tools call is far below; a loop in a script is far above. Agents are not counted. */
export const keyCallsPerSecond = 20;
export const keyCallsAtOnce = 60;
/** Fields that a request has and the contract does not, as one answer names them. */
export const ignoredFieldsShownMax = 20;
export const ignoredFieldCharsMax = 64;
/** Logs of responses as the public contract lists them. */
export const responseLogsMax = 100;
export const responseLogsDefault = 25;
export const responseLogsKeptFor: Millis = hours(14 * 24);
/** How often one of our commands comes again after the service has asked it to slow down. */
export const managementRetriesMax = 100;
/** Results one by one are evidence for days, not an archive: at 30 s a monitor makes 2,880 a day. */
export const resultsKeptFor: Millis = hours(14 * 24);
/** What came back, headers included, helps whoever looks into what has just failed. */
export const detailsKeptFor: Millis = hours(3 * 24);
/** What hours and days add up to: a quarter by the hour, two years and a month by the day. */
export const hoursKeptFor: Millis = hours(100 * 24);
export const daysKeptFor: Millis = hours(760 * 24);
/** An agent that was not heard of for a day has another name now, or none. */
export const instancesKeptFor: Millis = hours(24);
export const instancesListedMax = 1_000;
/** Replicas that note an agent's call at the same instant: each attempt ends for one of them. */
export const instanceChangesTriedMax = 20;
/** How often the service forgets what is old. */
export const forgetEvery: Millis = minutes(5);
/** Rows forgotten in one go, and the pause after it: calls are answered in between, however much is old. */
export const forgetRowsAtOnce = 1_000;
export const forgetPause: Millis = millis(10);
/** A batch of 500 results with full bodies of 64 KiB. */
export const serviceRequestBytesMax: Bytes = mebibytes(40);
/** Every other call: one result with a body of 64 KiB, or one monitor with a body of 1 MiB, each character escaped. */
export const callBytesMax: Bytes = mebibytes(8);
/** The bodies that one caller has on the way at one time: two batches, or those of twenty agents of ordinary size. */
export const callerBytesMax: Bytes = mebibytes(96);
/** The bodies of all callers at one time. */
export const callsBytesMax: Bytes = mebibytes(256);
/** Each takes a thread of four, and may become as large as a call may be. */
export const callsUnpackedAtOnce = 2;
/** Decoding takes half a microsecond an element, and nothing is answered meanwhile. A batch of 500 results has 50,000. */
export const callElementsMax = 250_000;
/** The contract has six levels. */
export const messageDepthMax = 32;
/** In JSON, this many digits in a row take as long to read as an element: a number of 64 bits has 20. */
export const messageDigitsAnElement = 32;
/** A client that sends a request's head or body more slowly than this is let go. */
export const serviceRequestTimeout: Millis = seconds(30);
/** An agent keeps one or two connections and its push channel; these are those of a thousand locations. Past them, the one that waits longest is dropped. */
export const serviceConnectionsMax = 4_000;
/** A service that is starting asks callers to come again after this: agents keep what they have for much longer. */
export const serviceStartRetryAfter: Millis = seconds(5);
/** How often the service looks whether its certificate was renewed: they last for days. */
export const serviceCertificateLookEvery: Millis = minutes(1);
/** A service that stops lets requests under way end, then cuts them off: an agent reports again what was cut. */
export const serviceDrainTimeout: Millis = seconds(10);
/** Another process, such as `picket service key`, holds the database for moments only; only a start and a command wait. */
export const databaseBusyTimeout: Millis = seconds(2);
/** A result with a body of 64 KiB, its headers and all its detail fits several times. */
export const resultBytesMax: Bytes = mebibytes(1);
/** A message is one plain sentence; the rest is cut. */
export const resultMessageCharsMax = 4_096;
/** An id is a UUID of 36 characters; other agents may name their results in another way. */
export const resultIdCharsMax = 256;
export const resultsListMax = 500;
export const resultsListDefault = 100;
/** How long an old token still works after a rotation, unless asked otherwise. */
export const tokenOverlapDefault: Millis = hours(1);
export const tokenOverlapMax: Millis = hours(7 * 24);
/** `picket up --for`: 24 days; a timer of the runtime ends at 2^31 ms, which is little more. */
export const upRunMax: Millis = hours(576);

/** The push channel's pings: under the idle limits of proxies and address translators, which begin at half a minute. */
export const watchPingEvery: Millis = seconds(20);
/** A peer that lets a ping stand for this long is gone, whatever TCP still believes. */
export const watchPongWithin: Millis = seconds(10);
/** A connection that was held for this long was a good one: the next loss is the first again. */
export const watchSettledAfter: Millis = seconds(30);
/** One reconnection that fails is a restart of the service; the third in a row is worth a line in the log. */
export const watchLossesUntilTold = 3;
/** After a drain an agent comes back within these, so that the agents of a service that stops do not come as one. */
export const watchDrainPauseMin: Millis = seconds(1);
export const watchDrainPauseMax: Millis = seconds(5);
/** How long a connection that is closed may take to say goodbye. */
export const watchGoodbyeWithin: Millis = seconds(1);
/** What a service says are ids and revisions. */
export const watchToldBytesMax: Bytes = kibibytes(64);
/** One result with a body of 64 KiB and a head of 300 KiB, each character escaped. */
export const watchAnswerBytesMax: Bytes = mebibytes(4);
/** What may wait to be read by a slow peer; past this the connection is dropped. Two answers of the largest size. */
export const watchAnswersUnreadBytesMax: Bytes = mebibytes(8);
/** The same for what the service says: thousands of revisions. */
export const watchToldUnreadBytesMax: Bytes = kibibytes(256);
/** Pulls that are asked for keep this distance, so that a service that contradicts itself is not asked without end. */
export const askedPullAfter: Millis = millis(500);
/** Checks asked for at the same time: a person's, beside thousands of slots whose places they take. */
export const checksNowMax = 4;
/** A check that is asked for begins no further attempt after this: somebody waits for it. */
export const checkNowRetriesWithin: Millis = seconds(10);
/** The longest timeout of a monitor, and the attempts before it. */
export const checkNowTimeout: Millis = seconds(135);
/** The agent's own limit, and the way to it and back. */
export const checkNowWait: Millis = seconds(140);
/** Questions that wait for agents at one time. */
export const checksNowWaitingMax = 200;
/** How often the service looks for what has changed: a location's revision, and tokens that no longer work. */
export const watchLookEvery: Millis = seconds(1);
/** Agents of one location that hold a push channel; those beyond it poll. */
export const watchesPerLocationMax = 64;
/** Nine in ten agents have under a hundred monitors; 10,000 with all their phases fit, at 0.3 KB a series. */
export const metricSeriesMax = 150_000;
/** Each is a connection and a compression a minute; more collectors than this are a loop in somebody's template. */
export const metricPipelinesMax = 256;
/** Some 0.2 MB: collectors take 4 to 20 MB, and encoding it holds the main thread for some 10 ms. */
export const metricPointsPerPost = 1_000;
/** An answer says in a few bytes how much was not taken. */
export const metricsAnswerBytesMax: Bytes = kibibytes(64);
/** OTEL_METRIC_EXPORT_INTERVAL and OTEL_EXPORTER_OTLP_TIMEOUT, as OpenTelemetry sets them. */
export const metricsInterval: Millis = minutes(1);
export const metricsPostTimeout: Millis = seconds(10);
/** The next export holds the same and more, so patience with one is short. */
export const metricsTriesMax = 5;
export const metricsBackoffMax: Millis = seconds(5);
/** How soon what a monitor was is forgotten once it has gone. */
export const metricsReconcileEvery: Millis = seconds(10);
/** A collector that is named no more has this long for the last figures; a stop waits for no collector any longer. */
export const metricsCloseWithin: Millis = seconds(5);
/** Each look wakes the main thread; delays that matter to anybody last longer than this. */
export const eventLoopLookEvery: Millis = millis(50);
/** `picket doctor`: one examination ends by itself within a call and a push channel; this is for what hangs. */
export const examinationMax: Millis = seconds(40);
/** A name server that is slower than this fails checks that have ordinary timeouts. */
export const examinedServerTimeout: Millis = seconds(4);
/** Files that the agent has open beside its checks' sockets: libraries, the spool, the service, its threads' pipes. */
export const filesBesideChecks = 64;
/** Certificates that renew themselves do so a month before; two weeks before, something does not. */
export const certificateDaysMin = 14;
/** Past the first, a clock is not kept by NTP; past the second, results lie in other slots than they say. */
export const clockSkewOdd: Millis = seconds(5);
export const clockSkewMax: Millis = seconds(60);
/** Of a log that is not read just now: some thousand lines, after which the oldest news is enough. */
export const unreadLogBytesMax: Bytes = mebibytes(1);
/** How long a command that was asked to stop waits for what it wrote to be read. */
export const unreadOutputPatience: Millis = seconds(1);
/** Topics of which the log's last word is remembered: all remarks on an assignment, twice. */
export const logTopicsKeptMax = 2_100;
/** Changes of verdict that are logged one by one; when a network fails, a thousand lines would hide its cause. */
export const verdictLinesMax = 20;
export const verdictLinesSpan: Millis = seconds(10);
/** Monitors that a stop names as waited for: more of them would not fit on a line. */
export const waitedForShownMax = 3;

/** What opens again this soon after its end is the same incident: a person has not put the phone away. */
export const incidentReopenedWithin: Millis = minutes(10);
/** The third time within an hour, another message says nothing new. */
export const flappingOpenings = 3;
export const flappingSpan: Millis = hours(1);
export const flappingQuietFor: Millis = minutes(30);
/** The first message waits this long: what fails for the same reason is seen by then. */
export const alertWait: Millis = seconds(5);
/** A monitor's period is mostly 30 s: by then every monitor of a location has met the same fault. */
export const groupWait: Millis = seconds(30);
/** So many that fail in the same way are no coincidence, and more than a message names: it is sent without waiting. */
export const groupSentAtOnce = 20;
/** A cause needs as many monitors, and half of the location's. */
export const groupMonitorsMin = 3;
/** What fails in the same way within this time joins the group. */
export const groupJoinedWithin: Millis = minutes(5);
/** More messages than this in so long are one. */
export const messagesApartMax = 3;
export const digestSpan: Millis = seconds(30);
/** A list longer than this is not read on a phone. */
export const digestNamesMax = 20;
/** What was down while its agent or the service was away is known this soon after it is back. */
export const replayWait: Millis = seconds(30);
/** A maintenance that repeats less often than every two years is planned again. */
export const recurrenceIntervalMax = 730;
/** A nightly window for more than two years. */
export const recurrenceCountMax = 1_000;
/** Months, weeks or days in a row without a day that fits: the 29th of February comes within 96 months. */
export const recurrenceEmptyMax = 100;
/** Past this a reader asks why it comes now: the message says it. */
export const lateAfter: Millis = minutes(1);
/** Five attempts in a row take eight minutes: then a person should know that a channel takes nothing. */
export const channelFailingAfter = 5;
/** What was not taken within a day is no news. */
export const deliveryTriedFor: Millis = hours(24);
/** A name, a label or another value within a notification: longer ones are cut, so that the rest has room. */
export const notifiedValueCharsMax = 256;
/** The sentence of a failure within a notification; what is wrong shows at its beginning. */
export const notifiedReasonCharsMax = 1000;
/** A provider's own figure for a wait is kept, up to here: a message of last night is of no use at noon. */
export const notifyWaitMax: Millis = hours(1);
/** A text within a webhook's body: none of a monitor's own is longer, what a check says may be. */
export const webhookTextCharsMax: number = targetCharsMax;
/** One message to a provider, all its requests: whoever takes longer is tried again later. */
export const notifyTimeout: Millis = seconds(15);
/** What a provider's answer may say; its own words are in the first hundred bytes. */
export const notifyAnswerBytesMax: Bytes = kibibytes(64);
/** A mail as a whole: a connection, and the command that takes longest. */
export const mailTimeout: Millis = seconds(45);
export const mailConnectTimeout: Millis = seconds(10);
export const mailCommandTimeout: Millis = seconds(30);
/** Many mail servers take a few connections of one client. */
export const mailConnectionsMax = 2;
/** What waits is looked at again within the hour, whatever it waits for; further ahead is a clock that was wrong. */
export const deliveryLookEvery: Millis = hours(1);
export const deliveryLookMax: Millis = hours(2);

/** What a raw socket sends or receives in one call; a larger one saves few calls, and evicts more of the caches. */
export const rawMessageBytesMax: Bytes = kibibytes(64);
/** Changes of raw sockets that are looked at before the runtime's own events have their turn. */
export const rawChangesMax = 256;
/** Raw descriptors of one thread: more than checks and their addresses need, and more than most systems permit. */
export const rawDescriptorsMax = 16_384;
/** What the runtime began may not end the first sleeps: they are short, and double up to the last. */
export const rawSleepFirst: Millis = millis(1);
export const rawSleepMax: Millis = seconds(1);
/** The self-test of raw sockets is a few packets on loopback. */
export const rawSelfTestMax: Millis = seconds(2);
/** What TLS is given at once: one record, as the runtime gives it. */
export const rawTlsTurnBytesMax: Bytes = kibibytes(16);
/** Datagrams of one raw socket that are read before others have their turn: a flood delays them by a millisecond. */
export const rawDatagramsAtOnceMax = 64;

/** Channels of a team; past them a script runs away. */
export const serviceChannelsMax = 1_000;
/** A test has our address send to whatever its caller names. */
export const testNotificationEvery: Millis = seconds(10);
/** What a provider says later of a test is waited for, up to here. */
export const testAskedWithin: Millis = seconds(15);
/** A reminder more often than this is noise (service.md). */
export const reminderMin: Millis = minutes(5);
/** Longer than this, nobody waits for a reminder, nor for a delayed alert. */
export const alertDelayMax: Millis = hours(24 * 7);
/** Every evening of a week, twice. */
export const quietHoursMax = 14;
/** As many labels as metadata may have. */
export const channelLabelsMax = 20;
/** More failures in a row than this hide an outage. */
export const policyRunMax = 10;
/** What a monitor depends on, directly and by others. */
export const dependenciesMax = 20;
/** A maintenance that ended this long ago may be why something is down still. */
export const maintenanceRemembered: Millis = hours(24);
/** How often the courier looks when nothing rings: what waits for a time is at most this late. */
export const courierLookEvery: Millis = seconds(1);
/** Channels that one replica sends to at the same time. */
export const channelTurnsMax = 32;
/** A message takes 15 s at most; a replica that was stopped in the middle is replaced after this. */
export const channelClaim: Millis = seconds(60);
/** After this a turn begins no further message, so that the last one ends within the claim. */
export const turnMax: Millis = seconds(30);
/** Messages of the last minutes, which later ones may join. */
export const recentLettersMax = 20;
/** Reminders are minutes apart. */
export const remindersLookEvery: Millis = seconds(20);
/** Open incidents and channels that one look at reminders sees. */
export const remindedAtOnce = 1_000;
/** What was sent to whom is looked up for weeks after an outage. */
export const deliveriesKeptFor: Millis = hours(30 * 24);
/** What one silence or maintenance names; labels and locations cover more. */
export const silencedMax = 1_000;
export const maintenanceMessageCharsMax = 4_096;
/** Watchers elsewhere wait for a few minutes by default; once a minute survives a lost request. */
export const outgoingHeartbeatEvery: Millis = minutes(1);
/** By then the judge has looked for the first time. */
export const outgoingHeartbeatFirst: Millis = seconds(10);
/** The judge looks every five seconds and the courier every second; on a slow disk a look takes longer. */
export const standstillAfter: Millis = minutes(1);
