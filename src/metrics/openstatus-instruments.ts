import type { Instrument } from "#metrics/instrument";
import { type Instruments, openStatusGauge } from "#metrics/kinds/kind-view";
import { kindOpenStatus, type KindOpenStatusName } from "#metrics/kinds/view-table";

export type OpenStatusInstrumentName =
  | "openstatus.status"
  | "openstatus.error"
  | KindOpenStatusName;

const counter = (does: string): Instrument => ({
  ...openStatusGauge(does, "http.response.status_code"),
  kind: "counter",
  unit: "",
  whole: true,
});

/** As the OpenStatus agent names them, for dashboards that exist. */
export const openStatusInstruments: Instruments<OpenStatusInstrumentName> = {
  "openstatus.status": counter("Checks that passed, also slowly"),
  "openstatus.error": counter("Checks that failed"),
  ...kindOpenStatus,
};
