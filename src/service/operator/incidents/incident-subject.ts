import type { Subject } from "#service/alerting/incident";

/** The incident of a certificate is about its monitor, too. */
export const isOfMonitor = ({ kind }: Pick<Subject, "kind">): boolean =>
  kind === "monitor" || kind === "certificate";
