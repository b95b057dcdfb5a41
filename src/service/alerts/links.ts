import { createHmac, timingSafeEqual } from "node:crypto";
import type { Incident, Subject } from "#service/alerting/incident";
import type { PublicAddress } from "#service/edge/public-address";
import type { Links } from "#service/alerting/surroundings";

/** Signs links that acknowledge an incident, so that a person needs no key for it. */
export interface AcknowledgeLinks {
  tokenOf(incident: Incident, channel: number): string;
  /** What a token names; null when we did not sign it. */
  read(token: string): AcknowledgeLink | null;
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
  const sign = (text: string): string =>
    createHmac("sha256", secret).update(`acknowledge ${text}`).digest("base64url").slice(0, 32);
  return {
    tokenOf: (incident, channel) => {
      const text = `${incident.number}.${lastOpening(incident)}.${channel}`;
      return `${text}.${sign(text)}`;
    },
    read: (token) => {
      const end = token.lastIndexOf(".");
      const text = token.slice(0, Math.max(0, end));
      const wanted = Buffer.from(sign(text));
      const given = Buffer.from(token.slice(end + 1));
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return null;
      const [number, openedAt, channel] = text.split(".").map(Number);
      if (number === undefined || openedAt === undefined) return null;
      return { number, openedAt, channel: channel ?? null };
    },
  };
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
    monitor: (id) => at(`monitors/${id}`),
    location: (id) => at(`locations/${id}`),
    maintenance: (id) => at(`maintenances/${id}`),
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
