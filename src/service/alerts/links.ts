import { createHmac, timingSafeEqual } from "node:crypto";
import type { Incident, Subject } from "#service/alerting/incident";
import type { PublicAddress } from "#service/edge/public-address";
import type { Links } from "#service/alerting/surroundings";
import { numberRanges, numbersInRanges } from "#service/alerts/number-ranges";
import * as limits from "#limits/alerts-limits";
import { epochMillis, type EpochMillis } from "#base/units";

/** Signs links that acknowledge an incident, so that a person needs no key for it. */
export interface AcknowledgeLinks {
  tokenOf(incident: Incident, channel: number): string;
  /** What a token names; null when we did not sign it. */
  read(token: string): AcknowledgeLink | null;
  /** One for several, as they are at an instant; null of very many that do not follow each other. */
  tokenOfGroup(numbers: readonly number[], until: EpochMillis, channel: number): string | null;
  readGroup(token: string): GroupLink | null;
}

/** Those of several incidents that opened no later than the message that has the link. */
export interface GroupLink {
  readonly numbers: readonly number[];
  readonly until: EpochMillis;
  readonly channel: number;
}

interface AcknowledgeLink {
  readonly number: number;
  /** When the incident had opened last. */
  readonly openedAt: number;
  /** Whose message it is in; null if it is of an older version, which did not name it. */
  readonly channel: number | null;
}

/**
 * A token names the incident, its last opening and the channel. It works once, unless a person takes the acknowledgement
 * back: what is acknowledged is so already, and an incident that opens again has another.
 */
export function acknowledgeLinks(secret: string): AcknowledgeLinks {
  const one = signer(secret, "acknowledge");
  const several = signer(secret, "acknowledge several");
  return {
    tokenOf: (incident, channel) =>
      one.signed(`${incident.number}.${lastOpening(incident)}.${channel}`),
    read: (token) => {
      const [number, openedAt, channel] = one.read(token)?.split(".").map(Number) ?? [];
      if (number === undefined || openedAt === undefined) return null;
      return { number, openedAt, channel: channel ?? null };
    },
    tokenOfGroup: (numbers, until, channel) => {
      const ranges = numbers.length > limits.acknowledgedTogetherMax ? null : shortRanges(numbers);
      return ranges === null ? null : several.signed(`${ranges}.${until}.${channel}`);
    },
    readGroup: (token) => {
      const [ranges = "", until, channel] = several.read(token)?.split(".") ?? [];
      const numbers = numbersInRanges(ranges.replaceAll("_", " "), limits.acknowledgedTogetherMax);
      if (numbers === null || until === undefined || channel === undefined) return null;
      return { numbers, until: epochMillis(Number(until)), channel: Number(channel) };
    },
  };
}

/** Signs texts for one purpose, and reads those that it signed. */
function signer(secret: string, purpose: string) {
  const sign = (text: string): string =>
    createHmac("sha256", secret).update(`${purpose} ${text}`).digest("base64url").slice(0, 32);
  return {
    signed: (text: string): string => `${text}.${sign(text)}`,
    read: (token: string): string | null => {
      const end = token.lastIndexOf(".");
      const text = token.slice(0, Math.max(0, end));
      const wanted = Buffer.from(sign(text));
      const given = Buffer.from(token.slice(end + 1));
      return given.length === wanted.length && timingSafeEqual(given, wanted) ? text : null;
    },
  };
}

/** `1-3_7`, as an address has it; null if that is longer than a link in a message may be. */
function shortRanges(numbers: readonly number[]): string | null {
  const ranges = numberRanges(numbers).replaceAll(" ", "_");
  return ranges.length > limits.linkedRangesCharsMax ? null : ranges;
}

export const lastOpening = ({ openings, openedAt }: Incident): number =>
  openings.at(-1) ?? openedAt;

/** Where a channel's messages lead. Without an address of the service that people can open, they lead nowhere. */
export function linksOf(
  address: Pick<PublicAddress, "linkUrl">,
  installation: string,
  acknowledge: AcknowledgeLinks,
  channel: number,
): Links {
  const at = (path: string): string | null => {
    const { linkUrl } = address;
    return linkUrl === null ? null : new URL(path, linkUrl).href;
  };
  return {
    incident: (number) => at(`incidents/${number}`),
    acknowledge: (incident) => at(`acknowledge/${acknowledge.tokenOf(incident, channel)}`),
    acknowledgeAll: (numbers, until) => {
      const token = acknowledge.tokenOfGroup(numbers, until, channel);
      return token === null ? null : at(`acknowledge/${token}`);
    },
    incidents: (numbers) => {
      const ranges = shortRanges(numbers);
      return at(ranges === null ? "incidents" : `incidents?numbers=${ranges}`);
    },
    monitor: (id) => at(`monitors/${id}`),
    location: (id) => at(`locations/${id}`),
    maintenance: (id) => at(`maintenances/${id}`),
    channel: (id) => at(`channels/${id}`),
    key: (subject) => keyOf(installation, subject),
  };
}

/** Constant for each subject, so that a pager joins what is repeated. */
function keyOf(installation: string, { kind, id }: Subject): string {
  switch (kind) {
    case "monitor":
      return `picket-${installation}-${id}`;
    case "location":
    case "agent":
    case "vantage":
    case "channel":
    case "maintenance":
    case "certificate":
      return `picket-${installation}-${kind}-${id}`;
  }
}
