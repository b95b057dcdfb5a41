import { kindTable } from "#check/kinds/kind-table";
import { serverOf } from "#check/target-server";
import * as linesLimits from "#limits/lines-limits";
import * as limits from "#limits/pages-limits";
import { labelWords } from "#service/operator/lists/label-words";
import type { PicturedMonitor } from "#service/operator/picture";

/**
 * What all monitors of a large group have in common, for example `HTTP, shop.example:443, team:shop`: no one reads a
 * thousand names. Empty of a few, whose names say it, and of those that have nothing in common.
 */
export const inCommon = (monitors: readonly PicturedMonitor[]): string =>
  monitors.length <= limits.namesShown ? "" : known.getOrInsertComputed(monitors, wordsOf);

/** A group of a large service is drawn again and again. */
const known = new WeakMap<readonly PicturedMonitor[], string>();

function wordsOf(monitors: readonly PicturedMonitor[]): string {
  const [first] = monitors;
  if (first === undefined) return "";
  const labels = Object.entries(first.labels)
    .filter(([key, value]) => monitors.every((one) => one.labels[key] === value))
    .slice(0, linesLimits.commonLabelsShown);
  return [
    ...(monitors.every(({ kind }) => kind === first.kind) ? [kindTable[first.kind].label] : []),
    ...commonHost(monitors, serverIn(first.target)),
    ...labels.map(([key, value]) => labelWords(key, value)),
  ].join(", ");
}

/** Their one server, or else the end of all their names, for example `*.shop.example`. */
function commonHost(monitors: readonly PicturedMonitor[], server: string): readonly string[] {
  if (server === "") return [];
  if (monitors.every(({ target }) => serverIn(target) === server)) return [server];
  const host = hostIn(server);
  // Parts of an address are no names.
  if (/^[\d.]+$|:/.test(host)) return [];
  let parts = host.split(".");
  for (const { target } of monitors) {
    const end = (): string => `.${parts.join(".")}`;
    const name = `.${hostIn(serverIn(target))}`;
    while (parts.length >= linesLimits.commonPartsMin && !name.endsWith(end()))
      parts = parts.slice(1);
  }
  return parts.length < linesLimits.commonPartsMin || isShared(parts)
    ? []
    : [`*.${parts.join(".")}`];
}

/** `co.uk`, `com.au`: firms that have nothing in common are below it. */
const isShared = ([first = "", last = "", ...rest]: readonly string[]): boolean =>
  rest.length === 0 && last.length === 2 && first.length <= 3;

/** That of a DNS target has a type of record after its name. */
const serverIn = (target: string): string => serverOf(target).replace(/ .*/s, "");

const hostIn = (server: string): string => server.replace(/:\d+$/, "");
