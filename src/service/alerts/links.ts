import { createHmac, timingSafeEqual } from "node:crypto";
import type { Incident, Subject } from "#service/alerting/incident";
import type { PublicAddress } from "#service/edge/public-address";
import type { Links } from "#service/alerting/surroundings";

/** Signs links that acknowledge an incident, so that a person needs no key for it. */
export interface AcknowledgeLinks {
  tokenOf(incident: Incident): string;
  /** The incident that a token is for, and when it had opened last; null when we did not sign it. */
  read(token: string): { readonly number: number; readonly openedAt: number } | null;
}

/**
 * A token names the incident and its last opening. It works once, unless a person takes the acknowledgement back: what is
 * acknowledged is so already, and an incident that opens again has another.
 */
export function acknowledgeLinks(secret: string): AcknowledgeLinks {
  const sign = (text: string): string =>
    createHmac("sha256", secret).update(`acknowledge ${text}`).digest("base64url").slice(0, 32);
  return {
    tokenOf: (incident) => {
      const text = `${incident.number}.${lastOpening(incident)}`;
      return `${text}.${sign(text)}`;
    },
    read: (token) => {
      const [number = "", openedAt = "", signature = "", ...rest] = token.split(".");
      const wanted = Buffer.from(sign(`${number}.${openedAt}`));
      const given = Buffer.from(signature);
      if (rest.length > 0 || given.length !== wanted.length) return null;
      if (!timingSafeEqual(given, wanted)) return null;
      return { number: Number(number), openedAt: Number(openedAt) };
    },
  };
}

export const lastOpening = ({ openings, openedAt }: Incident): number =>
  openings.at(-1) ?? openedAt;

/** Where messages lead. Without an address of the service that people can open, they lead nowhere. */
export function linksOf(
  address: Pick<PublicAddress, "linkUrl">,
  installation: string,
  acknowledge: AcknowledgeLinks,
): Links {
  const at = (path: string): string | null => {
    const { linkUrl } = address;
    return linkUrl === null ? null : new URL(path, linkUrl).href;
  };
  return {
    incident: (number) => at(`incidents/${number}`),
    acknowledge: (incident) => at(`acknowledge/${acknowledge.tokenOf(incident)}`),
    monitor: (id) => at(`monitors/${id}`),
    location: (id) => at(`locations/${id}`),
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
