import { commandParts, namedOptions, notTaken, secondsTyped } from "#check/kinds/command-parts";
import {
  type AskedQuestion,
  insteadOfAsking,
  nothingAsked,
  otherClass,
  questionTarget,
} from "#check/kinds/dns/asked-question";
import type { CommandFault, CommandTarget } from "#check/kinds/typed-kind";

/** What a command of host or nslookup asks, as a DNS monitor: a name, and a name server after it. */
export function lookupTarget(
  words: readonly string[],
  program: string,
): CommandTarget | CommandFault {
  const asked = nothingAsked();
  const read = program === "host" ? ofHost : ofNslookup;
  const [name = "", server = "", ...more] = read(words, asked);
  asked.name = name;
  asked.server = server;
  asked.leftOut.push(...more.map((one) => notTaken(one, "a monitor asks for one name")));
  return questionTarget(asked, program);
}

const hostValued = namedOptions("-c -m -N -p -R -t -W");
const hostIdle = namedOptions("-d -v -V -i");

/** Gives what is no option. */
function ofHost(words: readonly string[], asked: AskedQuestion): readonly string[] {
  const { options, rest } = commandParts(words, hostValued);
  for (const { name, value } of options)
    if (name === "-t") asked.type = value.toUpperCase();
    else if (name === "-p") asked.port = value;
    else if (name === "-W") asked.timeout = secondsTyped(value);
    else if (name === "-R" && /^\d+$/.test(value)) asked.retry = Number(value);
    else if (name === "-c") asked.leftOut.push(...otherClass(value));
    else if (name === "-T") asked.leftOut.push(notTaken("-T", insteadOfAsking["tcp"]));
    else if (!hostIdle.has(name)) asked.leftOut.push(notTaken(name));
  return rest;
}

/** Its options have one dash and `=`: `-type=mx`. */
function ofNslookup(words: readonly string[], asked: AskedQuestion): readonly string[] {
  const rest: string[] = [];
  for (const word of words) {
    const [, name, value = ""] = /^-(\w+)(?:=(.*))?$/.exec(word) ?? [];
    if (name === undefined) rest.push(word);
    else readSetting(asked, name.toLowerCase(), value);
  }
  return rest;
}

function readSetting(asked: AskedQuestion, name: string, value: string): void {
  if (/^(?:q|qu|que|quer|query|querytype|ty|typ|type)$/.test(name))
    asked.type = value.toUpperCase();
  else if (/^po(?:rt)?$/.test(name)) asked.port = value;
  else if (/^ti(?:meout)?$/.test(name)) asked.timeout = secondsTyped(value);
  else if (/^ret(?:ry)?$/.test(name) && /^\d+$/.test(value)) asked.retry = Number(value);
  else if (/^cl(?:ass)?$/.test(name)) asked.leftOut.push(...otherClass(value));
  else if (name === "vc") asked.leftOut.push(notTaken("-vc", insteadOfAsking["vc"]));
  else if (!/^(?:no)?(?:d2|de(?:bug)?|sea(?:rch)?|rec(?:urse)?|fail)$/.test(name))
    asked.leftOut.push(notTaken(`-${name}`));
}
