import { agentInstruments, type AgentInstrumentName } from "#metrics/agent-instruments";
import { blackboxInstruments, type BlackboxInstrumentName } from "#metrics/blackbox-instruments";
import { checkInstruments, type CheckInstrumentName } from "#metrics/check-instruments";
import { collectorInstruments, type CollectorInstrumentName } from "#metrics/collector-instruments";
import type { Instrument } from "#metrics/instrument";
import {
  openStatusInstruments,
  type OpenStatusInstrumentName,
} from "#metrics/openstatus-instruments";

export type InstrumentName =
  | CheckInstrumentName
  | AgentInstrumentName
  | CollectorInstrumentName
  | BlackboxInstrumentName
  | OpenStatusInstrumentName;

/** Every instrument there is: what is exported, scraped and documented is made from this table. */
export const instruments: Readonly<Record<InstrumentName, Instrument>> = {
  ...checkInstruments,
  ...agentInstruments,
  ...collectorInstruments,
  ...blackboxInstruments,
  ...openStatusInstruments,
};
