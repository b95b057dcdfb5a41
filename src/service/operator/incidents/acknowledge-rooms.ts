import type { IncomingMessage } from "node:http";
import type { Clock } from "#base/clock";
import type { Block } from "#network/address-block";
import type { AcknowledgeLinks } from "#service/alerts/links";
import type { Pictures } from "#service/operator/pictures";
import type { Store } from "#service/store/store";

/** What the pages behind links in messages work with. */
export interface AcknowledgeRooms {
  readonly store: Store;
  readonly clock: Clock;
  readonly acknowledge: AcknowledgeLinks;
  readonly pictures: Pictures;
  readonly trustedProxies: readonly Block[];
}

/** Whether the button that undoes it was pressed. */
export const isTakingBack = ({ url = "" }: IncomingMessage): boolean =>
  url.endsWith(`?${takingBack}`);
export const takingBack = "take-back";
