import { shownDuration } from "#base/duration";
import { queryTypes, recordTypes } from "#check/assertion";
import { notTaken } from "#check/kinds/command-parts";
import type { CommandFault, CommandTarget } from "#check/kinds/typed-kind";
import * as limits from "#limits/check-limits";
import { showHostPort } from "#network/host-port";

/** What dig, host or nslookup is to ask, as far as it was read. */
export interface AskedQuestion {
  name: string;
  /** In capitals; empty: it says none. */
  type: string;
  server: string;
  port: string;
  /** Milliseconds; null: it says none. */
  timeout: number | null;
  retry: number | null;
  leftOut: string[];
}

export const nothingAsked = (): AskedQuestion => ({
  name: "",
  type: "",
  server: "",
  port: "",
  timeout: null,
  retry: null,
  leftOut: [],
});

/** The first rule's type. */
export const recordField = "record_assertions[0].record";

/** What is said of a type that needs no rule, since any record of it passes; empty of any other. */
export const typeNote = (type: string): string =>
  type === "A" || type === "AAAA" ? `Only ${type} is asked for.` : "";

/** The type of a rule that the form opens; null: the target has the type, and any record of it passes. */
export const ruledType = (type: string): string | null =>
  type !== "A" && type !== "AAAA" && recordTypes.some((one) => one === type) ? type : null;

/** The monitor that asks it. */
export function questionTarget(
  asked: AskedQuestion,
  program: string,
): CommandTarget | CommandFault {
  const { name, type, server, port, timeout, retry } = asked;
  if (name === "") return { fault: unfinished(program) };
  if (isReverse(name))
    return { fault: `asks for the name of an address, which is a PTR record: a check ${askable}` };
  const isAskable = type === "" || queryTypes.some((one) => one === type);
  const rule = ruledType(type);
  const at = server === "" ? "" : portedServer(server, port);
  const query = [
    ...(isAskable && type !== "" && rule === null ? [`type=${type}`] : []),
    ...(at === "" ? [] : [`server=${at}`]),
  ].join("&");
  return {
    fields: new Map([
      ["uri", query === "" ? name : `dns:${name}?${query}`],
      ...(rule === null ? [] : [[recordField, rule] as const]),
      ...(timeout === null ? [] : [["timeout", shownDuration(timeout)] as const]),
      ...(retry === null ? [] : [["retry", String(Math.min(retry, limits.retryMax))] as const]),
    ]),
    rows: [],
    leftOut: [
      ...(isAskable ? [] : [notTaken(type, `a check ${askable}`)]),
      ...(port === "" || server !== "" ? [] : [notTaken(`-p ${port}`, needsServer)]),
      ...asked.leftOut,
    ],
    note: typeNote(type),
  };
}

const askable = `asks for ${queryTypes.slice(0, -1).join(", ")} or ${queryTypes.at(-1)}`;

const needsServer = "a port needs a name server next to it, for example @10.0.0.53";

/** Without the usual port. */
const portedServer = (server: string, port: string): string =>
  (port === "" ? server : showHostPort(server, Number(port))).replace(/:53$/, "");

const isReverse = (name: string): boolean =>
  /^\d+\.\d+\.\d+\.\d+$/.test(name) || /^[\da-f]*:[\da-f:]+$/i.test(name);

const unfinished = (program: string): string =>
  `is an unfinished ${program} command: it needs a domain name, for example ${program} shop.example`;

/** A class of which a check asks no other than IN. */
export const otherClass = (name: string): readonly string[] =>
  name.toUpperCase() === "IN" ? [] : [notTaken(name.toUpperCase(), "a check asks in class IN")];

const overTcp = "a check asks over UDP, and over TCP if the answer is cut off";

/** What can be said of options that several of the programs have. */
export const insteadOfAsking: Readonly<Record<string, string>> = {
  tcp: overTcp,
  vc: overTcp,
  tls: overTcp,
  https: overTcp,
  trace: "a check asks one name server",
  nssearch: "a check asks one name server",
};
