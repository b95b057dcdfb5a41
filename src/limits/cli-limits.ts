import { type Bytes, hours, mebibytes, type Millis, millis, minutes, seconds } from "#base/units";

/* Commands: what a person waits for, and what a terminal shows. */

/* picket check */

/** Rounds of `picket check --repeat`: at one a second more than a day; each keeps its figures for the summary. */
export const repeatMax = 100_000;
/** Faster than this is a load test, which a check is not. */
export const repeatEveryMin: Millis = millis(100);
export const repeatEveryDefault: Millis = seconds(1);
/** Different sentences of failures that a summary lists; a person reads no more. */
export const repeatFailuresMax = 20;

/* picket status, results and the lists */

/** Monitors of which `picket status` says where and why they fail: two calls each, and a service takes 60 at once. */
export const statusDetailsMax = 20;
/** A person watches a terminal no faster, and a key has 20 calls a second. */
export const statusWatchEvery: Millis = seconds(5);
/** Results that `picket results` reads: a day of the shortest period at three locations. */
export const resultsShownMax = 10_000;
export const resultsShownDefault = 20;
/** Pages of monitors or locations are read up to here: several agents' worth, and an end for a list without one. */
export const managedListMax = 100_000;
/** Pages of such a list that are asked for side by side: the way to the service and back is waited for once for all. */
export const pagesAskedAtOnce = 4;
/** How often one of our commands asks again after the service has asked it to slow down. */
export const managementRetriesMax = 100;

/* Files of monitors */

/** A file is written by hand, by a template, or by `picket export`: 20,000 monitors with all that is said of them. */
export const monitorsFileBytesMax: Bytes = mebibytes(16);
/** Files of one configuration: a folder for each team, not one for each monitor. */
export const configurationFilesMax = 1_000;
/** YAML aliases can make a small file say an endless lot; a file without them cannot say more than this. */
export const monitorsFileValuesMax = 1_000_000;

/* picket up */

/** The live view's memory of each monitor: as many latencies as its sparkline is wide. */
export const sparklineWidth = 20;
/** A live view that redraws more often is not calm. */
export const viewRedrawEvery: Millis = millis(250);
/** How often the live view asks the service for the location's status. */
export const viewLocationEvery: Millis = seconds(2);
/** `picket up --for`: 24 days; a timer of the runtime ends at 2^31 ms, which is little more. */
export const upRunMax: Millis = hours(576);
/** Monitors that a stop names as waited for: more of them would not fit on a line. */
export const waitedForShownMax = 3;

/* picket doctor and picket health */

/** `picket doctor`: one examination ends by itself within a call and a push channel; this is for what hangs. */
export const examinationMax: Millis = seconds(40);
/** A name server that is slower than this fails checks that have ordinary timeouts. */
export const examinedServerTimeout: Millis = seconds(4);
/** Files that the agent has open in addition to its checks' sockets: libraries, the spool, the service, its threads' pipes. */
export const filesBesideChecks = 64;
/** What `picket doctor` reads of an agent's status with one monitor, which is a few KiB with long names. */
export const doctorStatusCharsMax = 65_536;
/** `picket health` answers within this: container runtimes give their health checks 30 s, and some people 5. */
export const healthCallTimeout: Millis = seconds(3);

/* Domains of status pages */

/** A plan waits at most so long for DNS. */
export const domainLookUpTimeout: Millis = seconds(3);
/** More warnings than this are read by no one, and half of the runtime's look-ups would wait behind them. */
export const domainsLookedUpMax = 20;

/* The process's supervisor */

/** systemd's status line is read by people; a shorter watchdog has it written more often. */
export const supervisorStatusEvery: Millis = seconds(5);
/** After the drain come the last metrics and the ends of threads and files; the unit's TimeoutStopSec=45s leaves as much. */
export const supervisorStopRest: Millis = seconds(15);
/** systemd waits so long for the next word of a long start: on a slow disk the next 100,000 results take two minutes. */
export const supervisorStartRest: Millis = minutes(5);
/** What a start says last is said again: to distribute a large database takes longer than systemd waits for a word. */
export const supervisorStartSaidEvery: Millis = minutes(1);
