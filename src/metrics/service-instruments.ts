import type { Instrument } from "#metrics/instrument";

type ServiceInstrumentName =
  | "picket.notifications"
  | "picket.notifications.oldest.age"
  | "picket.news.waiting"
  | "picket.news.oldest.age"
  | "picket.configuration.mistakes";

/** What the service says of itself. */
export const serviceInstruments: { readonly [N in ServiceInstrumentName]: Instrument } = {
  "picket.notifications": {
    kind: "counter",
    unit: "{notification}",
    does: "What became of notifications: one for each event and channel, whatever number of them a message covers",
    attributes: ["provider", "outcome"],
  },
  "picket.notifications.oldest.age": {
    kind: "gauge",
    unit: "s",
    does: "How long ago the oldest notification was written that its provider has not taken, 0 when none waits for that",
    attributes: [],
    observed: true,
  },
  "picket.news.waiting": {
    kind: "gauge",
    unit: "{letter}",
    does: "Mails and webhook messages to subscribers of status pages that wait to be sent, one for each subscriber and event",
    attributes: [],
    observed: true,
  },
  "picket.news.oldest.age": {
    kind: "gauge",
    unit: "s",
    does: "How long ago the oldest of these was written, 0 when none waits",
    attributes: [],
    observed: true,
  },
  "picket.configuration.mistakes": {
    kind: "gauge",
    unit: "{mistake}",
    does: "Why the files of --config are not applied, 0 when they are; only if there are such files",
    attributes: [],
    observed: true,
  },
};
