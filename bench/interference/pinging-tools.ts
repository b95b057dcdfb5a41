import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Reported } from "../../test/wire-truth/reported.ts";

const execute = promisify(execFile);

/** Pings every address once a second, and gives back what fping says of each, in the order of an address's echoes. */
export async function runFping(
  addresses: readonly string[],
  seconds: number,
  inside: readonly string[],
): Promise<readonly Reported[]> {
  const [command, ...before] = [...inside, "fping"];
  const words = ["-C", String(seconds), "-p", "1000", "-q", ...addresses];
  const { stderr } = await execute(command, [...before, ...words]);
  return echoesIn(stderr);
}

/**
 * smokeping's FPing probe: one round of twenty echoes to each address, by the program itself. It keeps a round's times
 * sorted, so what it read is taken from its own report of that.
 */
export async function runSmokeping(
  addresses: readonly string[],
  folder: string,
  inside: readonly string[],
): Promise<readonly Reported[]> {
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, "smokeping.conf");
  writeFileSync(file, smokepingSettings(addresses, folder));
  const [command, ...before] = [...inside, "smokeping"];
  const words = [`--config=${file}`, "--debug"];
  const { stdout, stderr } = await execute(command, [...before, ...words]);
  const said = /Got fping output: '(.*)'/g;
  return [...`${stdout}${stderr}`.matchAll(said)].flatMap(([, line = ""]) => echoesIn(line));
}

/** A line is `127.0.4.1 : 0.034 - 0.039`, in milliseconds. */
function echoesIn(text: string): readonly Reported[] {
  return text.split("\n").flatMap((line) => {
    const [, server, times] = /^(\S+)\s+: (.*)$/.exec(line) ?? [];
    if (server === undefined || times === undefined) return [];
    return times
      .trim()
      .split(" ")
      .map((time) => echoReport(server, Number(time) * 1e6));
  });
}

function echoReport(server: string, rtt: number): Reported {
  const nothing = { tls: null, write: null, wait: null, firstByte: null, receive: null };
  return {
    server,
    figures: { ...nothing, connect: rtt, total: rtt },
    errorBar: null,
    ownErrorBar: 0,
    failed: Number.isNaN(rtt),
    leavesOursOut: false,
  };
}

const smokepingSettings = (addresses: readonly string[], folder: string): string => `*** General ***
owner = bench
contact = bench@localhost
mailhost = localhost
imgcache = ${folder}
imgurl = http://localhost/
datadir = ${folder}
piddir = ${folder}
cgiurl = http://localhost/
smokemail = /etc/smokeping/smokemail
tmail = /etc/smokeping/tmail
syslogfacility = local0
*** Alerts ***
to = bench@localhost
from = bench@localhost
*** Database ***
step = 60
pings = 20
AVERAGE 0.5 1 1008
*** Presentation ***
template = /etc/smokeping/basepage.html
+ overview
width = 600
height = 50
range = 10h
+ detail
width = 600
height = 200
unison_tolerance = 2
"Last 3 Hours" 3h
*** Probes ***
+ FPing
binary = /usr/bin/fping
hostinterval = 0.1
*** Targets ***
probe = FPing
menu = Top
title = Top
${addresses.map((host, n) => `+ t${n}\nmenu = t${n}\ntitle = t${n}\nhost = ${host}`).join("\n")}
`;
