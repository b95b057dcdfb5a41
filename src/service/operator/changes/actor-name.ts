import { capital } from "#base/text";
import { filesOf } from "#service/operator/managed-note";
import type { ActorKind } from "#service/store/audit/actor";
import type { AuditEntry } from "#service/store/audit/audit-log";

type LogActor = AuditEntry["who"];

/** Who a line begins with. A key is in quotes: its number is below the line. A person's name stays as they write it. */
export function shownActor({ who }: AuditEntry): string {
  if (who.kind === "key") return `Key “${keyName(who.name)}”`;
  return who.kind === "person" || who.kind === "link" ? who.name : capital(actorOf(who));
}

/** Who it was, within a sentence; a key by its name, as incidents and silences call it: `the key “ci”`. */
export const nameOfActor = ({ who }: AuditEntry): string =>
  who.kind === "key" ? `the key “${keyName(who.name)}”` : actorOf(who);

/** `by API key 1 (pages), from 127.0.0.1.`: the address is for owners. */
export const sourceWords = ({ who }: AuditEntry): string => {
  const by = who.kind === "files" ? filesActor(who.name, (key) => `API key ${key}`) : actorOf(who);
  return `by ${by}${who.from === "" ? "" : `, from ${who.from}`}.`;
};

const actorOf = ({ kind, name }: LogActor): string =>
  kind === "files"
    ? filesActor(name, (key) => `the key “${keyName(key)}”`)
    : `${actorWords[kind]}${name}`;

/** `the files of shop (applied by the key “ci”)`: the log has `shop, applied by key 3 (ci)`. */
function filesActor(name: string, keyWords: (key: string) => string): string {
  const [, owner = name, kind = "", by = ""] = /^(.*?), applied by (\w+) (.*)$/s.exec(name) ?? [];
  if (by === "") return filesOf(owner);
  return `${filesOf(owner)} (applied by ${kind === "key" ? keyWords(by) : by})`;
}

/** `ci` of `3 (ci)`. */
const keyName = (name: string): string => name.replace(/^\d+ \((.+)\)$/, "$1");

const actorWords: { readonly [K in Exclude<ActorKind, "files">]: string } = {
  person: "",
  key: "API key ",
  command: "command ",
  link: "",
  stranger: "",
  service: "",
};
