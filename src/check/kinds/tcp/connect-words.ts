import { shownDuration } from "#base/duration";
import {
  type CommandOption,
  commandParts,
  namedOptions,
  notTaken,
  secondsTyped,
  valueOf,
} from "#check/kinds/command-parts";
import type { CommandFault, CommandTarget } from "#check/kinds/typed-kind";
import { showHostPort } from "#network/host-port";

/** What nc, ncat or telnet connects to, as a TCP monitor. */
export function connectTarget(
  words: readonly string[],
  program: string,
): CommandTarget | CommandFault {
  const isTelnet = program === "telnet";
  const { options, rest } = commandParts(words, isTelnet ? telnetValued : ncValued);
  const [host = "", port = "", ...more] = rest.flatMap(hostAndPort);
  if (options.some(({ name }) => name === "-l" || name === "--listen") && !isTelnet)
    return { fault: `waits for a connection with -l: a check makes one, for example ${example}` };
  const [first, last] = portsIn(port === "" && isTelnet ? "telnet" : port);
  if (host === "" || first === null) return { fault: unfinished(program, host, port) };
  const wait = secondsTyped(valueOf(options, "-w", "--wait", "-G"));
  return {
    fields: new Map([
      ["uri", showHostPort(host, first)],
      ...(wait === null ? [] : [["timeout", shownDuration(wait)] as const]),
    ]),
    rows: [],
    leftOut: [
      ...new Set(options.flatMap(leftOutWords)),
      ...[...(last === null ? [] : [`Port ${first + 1} to ${last}`]), ...more].map((one) =>
        notTaken(/^\d+$/.test(one) ? `Port ${one}` : one, "a monitor connects to one port"),
      ),
    ],
    note: "",
  };
}

const example = "nc -zv db.example 5432";

const unfinished = (program: string, host: string, port: string): string =>
  port === ""
    ? `is an unfinished ${program} command: it needs a host and a port, for example ${program} ${host || "db.example"} 5432`
    : `is a ${program} command whose port is not known: write it as a number, for example ${program} ${host} 5432`;

/** `host:port` in one word, and `[::1]`, which has its brackets. */
function hostAndPort(word: string): readonly string[] {
  const [, bracketed, plain, port] =
    /^(?:\[([\da-f:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/i.exec(word) ?? [];
  const host = bracketed ?? plain;
  return host === undefined ? [word] : port === undefined ? [host] : [host, port];
}

/** Ports that people write by their names. */
const ports: ReadonlyMap<string, number> = new Map([
  ["ftp", 21],
  ["ssh", 22],
  ["telnet", 23],
  ["smtp", 25],
  ["domain", 53],
  ["http", 80],
  ["www", 80],
  ["pop3", 110],
  ["imap", 143],
  ["ldap", 389],
  ["https", 443],
  ["smtps", 465],
  ["submission", 587],
  ["ldaps", 636],
  ["imaps", 993],
  ["pop3s", 995],
  ["mysql", 3306],
  ["postgresql", 5432],
]);

/** The first and the last of `20-25`; null: there is none. */
function portsIn(text: string): readonly [number | null, number | null] {
  const [, first, last] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  if (first === undefined) return [ports.get(text.toLowerCase()) ?? null, null];
  return [Number(first), last === undefined ? null : Number(last)];
}

const ncValued = namedOptions(`
  -w --wait -G -i --idle-timeout -I -M -m -O -o --output -p --source-port -P -q -s --source -T -V -X -x --proxy
  --proxy-type --proxy-auth -e --exec --sh-exec`);
const telnetValued = namedOptions("-l -n -b -e -S -X");

/** Options that are only about what is printed, and when it ends. */
const idle = namedOptions(`
  -z -v --verbose -n --nodns -N -q -t -C --crlf -d -w --wait -G -i --idle-timeout -o --output -k -r -D -a -E -K -L`);

const overTcp =
  "a check of a port connects over TCP. For a name server, paste a dig command; ping says whether a host answers";
const noTls = "a TCP check does not speak TLS. For a web server, type its https:// URL";
const ownProxy = "give the proxy to the agent in PICKET_TARGET_PROXY";

const instead: Readonly<Record<string, string>> = {
  "-u": overTcp,
  "--udp": overTcp,
  "--ssl": noTls,
  "-c": noTls,
  "-x": ownProxy,
  "-X": ownProxy,
  "--proxy": ownProxy,
  "--proxy-type": ownProxy,
};

function leftOutWords({ name }: CommandOption): readonly string[] {
  return idle.has(name) ? [] : [notTaken(name, instead[name])];
}
