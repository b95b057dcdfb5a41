import { Placement as WirePlacement } from "#contract/private_location/v1/private_location_pb";
import type { Placement } from "#check/placement";

/** Who the agent says it is. */
export interface Instance {
  readonly id: string;
  readonly version: string;
  readonly hostname: string;
  readonly node: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly placement: Placement;
  /** The location whose signed monitors are all that it runs; it runs whatever is assigned, unless given. */
  readonly signedFor?: string;
}

/** How an agent shares its location, in the words of the wire. */
export const placements: { readonly [P in Placement]: WirePlacement } = {
  share: WirePlacement.SHARE,
  everywhere: WirePlacement.EVERYWHERE,
};
