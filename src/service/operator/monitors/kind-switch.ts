import { isIP } from "node:net";
import { type Kind, kinds } from "#check/monitor";
import { asKind, fieldOf } from "#service/operator/monitors/as-kind";
import { monitorFields } from "#service/operator/monitors/fields-of-kinds";
import { pastedMonitor } from "#service/operator/pasted/pasted-monitor";
import { targetField, targetIn } from "#service/operator/monitors/target-field";

/*
 * The buttons of a form that choose the kind. The target goes with it, as far as the other kind has one like it, and what only
 * the kind before has waits in the form for whoever comes back.
 */

export const kindIn = (text: string | null): Kind => kinds.find((one) => one === text) ?? "http";

/** Where a form keeps what was typed as another kind. */
const keptField = (kind: Kind): string => `was.${kind}`;

/** What a form of any kind keeps of the others, by the names of its fields. */
export const keptKinds = (typed: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries(kinds.map((kind) => [keptField(kind), typed.get(keptField(kind)) ?? ""]));

/** The form as the kind whose button was pressed. */
export function switchedKind(to: Kind, before: Kind, form: URLSearchParams): URLSearchParams {
  if (to === before) return form;
  const was = new URLSearchParams(form.get(keptField(to)) ?? "");
  const typed = withOwn(asKind(to, before, form), was, before);
  typed.set(targetField(to), targetFor(to, before, form));
  for (const [name, value] of Object.entries(keptKinds(form)))
    if (value !== "") typed.set(name, value);
  typed.set(keptField(before), ownOf(form, before, to).toString());
  typed.delete(keptField(to));
  return typed;
}

/** The kinds whose targets have a port, the one that says most first. */
const withPort = kinds.filter((kind) => kind !== "icmp" && kind !== "dns");

/** What was typed as this kind, or as one that says more, unless another target was typed since. */
function targetFor(to: Kind, before: Kind, form: URLSearchParams): string {
  const text = targetIn(form, before);
  const typed = [to, ...withPort].map((kind) => {
    const was = new URLSearchParams(form.get(keptField(kind)) ?? "");
    return { kind, text: targetIn(was, kind) };
  });
  const same = typed.find(
    (one) =>
      one.text !== "" &&
      ((text === "" && one.kind === to) || targetAs(one.text, one.kind, before) === text),
  );
  if (same === undefined) return targetAs(text, before, to);
  return same.kind === to ? same.text : targetAs(same.text, same.kind, to);
}

/** The target, and what the other kind has no field for. */
function ownOf(form: URLSearchParams, kind: Kind, other: Kind): URLSearchParams {
  const shared = new Set(Object.keys(monitorFields(other)));
  shared.delete(targetField(kind));
  const names = new Set(Object.keys(monitorFields(kind)).filter((name) => !shared.has(name)));
  return new URLSearchParams([...form].filter(([name]) => names.has(fieldOf(name))));
}

/** With what was kept, except for what the kind before has as well: that was typed since. */
function withOwn(typed: URLSearchParams, was: URLSearchParams, before: Kind): URLSearchParams {
  const shared = monitorFields(before);
  const own = [...was].filter(([name]) => !(fieldOf(name) in shared));
  const names = new Set(own.map(([name]) => fieldOf(name)));
  return new URLSearchParams([...[...typed].filter(([name]) => !names.has(fieldOf(name))), ...own]);
}

interface Place {
  /** An IPv6 address without its brackets. */
  readonly host: string;
  /** Empty: the target has none. */
  readonly port: string;
}

/** What another kind checks of the same target: its host, with the port if both have one. */
function targetAs(text: string, from: Kind, to: Kind): string {
  const { host, port } = placeIn(text, from);
  if (host === "") return "";
  const written = isIP(host) === 6 ? `[${host}]` : host;
  if (to === "icmp") return host;
  if (to === "dns") return isIP(host) === 0 ? host : "";
  if (to !== "http") return port === "" ? written : `${written}:${port}`;
  if (port === "") return `${isIP(host) === 0 ? "https" : "http"}://${written}`;
  const scheme = ["443", "8443"].includes(port) ? "https" : "http";
  return URL.parse(`${scheme}://${written}:${port}`)?.origin ?? "";
}

function placeIn(text: string, kind: Kind): Place {
  if (kind === "http") {
    const url = URL.parse(pastedMonitor(text)?.fields.get("url") ?? text);
    const port = url?.port || (url?.protocol === "https:" ? "443" : "80");
    return { host: plain(url?.hostname ?? ""), port };
  }
  const [, host = text, port = ""] = /^(\[[^\]]*\]|[^:]*):(\d+)$/.exec(text) ?? [];
  return /\s/.test(host) ? { host: "", port } : { host: plain(host), port };
}

const plain = (host: string): string => host.replaceAll(/^\[|\]$/g, "");
