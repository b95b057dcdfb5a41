import {
  type CommandOption,
  commandParts,
  namedOptions,
  notTaken,
  secondsTyped,
} from "#check/kinds/command-parts";
import {
  type AskedQuestion,
  insteadOfAsking,
  nothingAsked,
  otherClass,
  questionTarget,
} from "#check/kinds/dns/asked-question";
import type { CommandFault, CommandTarget } from "#check/kinds/typed-kind";

/** What a command of dig, kdig or drill asks, as a DNS monitor. Its words may come in any order. */
export function digTarget(words: readonly string[], program: string): CommandTarget | CommandFault {
  const asked = nothingAsked();
  const isDrill = program === "drill";
  const { options, rest } = commandParts(words, isDrill ? drillValued : digValued);
  for (const option of options) readOption(asked, option, isDrill);
  for (const word of rest) readWord(asked, word);
  // `dig mx` asks for a name that is called so.
  if (asked.name === "" && asked.type !== "" && !options.some(({ name }) => name === "-t"))
    return questionTarget({ ...asked, name: asked.type.toLowerCase(), type: "" }, program);
  return questionTarget(asked, program);
}

const digValued = namedOptions("-b -c -f -k -p -q -t -x -y");
const drillValued = namedOptions("-b -c -f -i -k -o -p -w -x -y");

/** Options that are only about what is printed. */
const idle = namedOptions("-u -v -h -m -r -V -D");

function readOption(asked: AskedQuestion, { name, value }: CommandOption, isDrill: boolean): void {
  if (name === "-t" && isDrill) leaveOut(asked, name, insteadOfAsking["tcp"]);
  else if (name === "-t") asked.type = typeIn(value);
  else if (name === "-q") asked.name = value;
  else if (name === "-p") asked.port = value;
  else if (name === "-x") asked.name = value;
  else if (name === "-c" && !isDrill) asked.leftOut.push(...otherClass(value));
  else if (name === "-f") leaveOut(asked, `-f ${value}`, "a monitor asks for one name");
  else if (!idle.has(name)) leaveOut(asked, name);
}

const leaveOut = (asked: AskedQuestion, part: string, instead?: string): void => {
  asked.leftOut.push(notTaken(part, instead));
};

/** Words that dig reads as types, not as names. */
const types = namedOptions(`
  A AAAA AFSDB ANY AXFR CAA CDNSKEY CDS CERT CNAME DNAME DNSKEY DS HINFO HTTPS LOC MX NAPTR NS NSEC NSEC3 NSEC3PARAM
  PTR RP RRSIG SOA SPF SRV SSHFP SVCB TLSA TXT URI`);

/** `TYPE28` stays as it is. */
const typeIn = (text: string): string => text.toUpperCase().replace(/^IXFR=.*$/, "IXFR");

function readWord(asked: AskedQuestion, word: string): void {
  if (word.startsWith("+")) readSetting(asked, word.slice(1).toLowerCase());
  else if (word.startsWith("@")) asked.server = word.slice(1);
  else if (types.has(word.toUpperCase()) && asked.type === "") asked.type = word.toUpperCase();
  else if (/^(?:IN|CH|HS)$/i.test(word)) asked.leftOut.push(...otherClass(word));
  else if (asked.name === "") asked.name = word;
  else if (types.has(word.toUpperCase())) leaveOut(asked, word, "a question has one type");
  else leaveOut(asked, word, "a monitor asks for one name");
}

/** `+short` and its like are only about what is printed. */
const idleSettings =
  /^(?:no.*|short|all|answer|additional|authority|comments|question|stats|cmd|identify|ttlid|ttlunits|multiline|rrcomments|class|crypto|besteffort|fail|showsearch|split=?\d*|yaml|expandaaaa|unknownformat|adflag|aaflag|edns=?\d*|cookie=?\w*|rec|recurse)$/;

function readSetting(asked: AskedQuestion, setting: string): void {
  const [name = "", value = ""] = setting.split("=");
  if (name === "time" || name === "timeout") asked.timeout = secondsTyped(value);
  else if (name === "tries") asked.retry = countIn(value, 1);
  else if (name === "retry") asked.retry = countIn(value, 0);
  else if (/^norec(?:urse)?$/.test(name) || !idleSettings.test(setting))
    leaveOut(asked, `+${name}`, insteadOfAsking[name.replace(/-.*$/, "")]);
}

const countIn = (text: string, first: number): number | null =>
  /^\d+$/.test(text) ? Math.max(Number(text) - first, 0) : null;
