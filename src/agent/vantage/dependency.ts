import type { CauseScope } from "#check/cause";
import { isPassing } from "#check/own-faults";

/** One thing that a check needs on its way, e.g. the gateway 10.0.0.1. */
export interface Dependency {
  readonly scope: CauseScope;
  readonly subject: string;
}

export const dependency = (scope: CauseScope, subject: string): Dependency => ({ scope, subject });

export const keyOf = ({ scope, subject }: Dependency): string => `${scope} ${subject}`;

/** The most specific first: of two that explain the same failures, the first is named. */
export const bySpecificity: readonly CauseScope[] = [
  "name",
  "port",
  "host",
  "prefix",
  "path",
  "authority",
  "proxy",
  "resolver",
  "family",
  "gateway",
  "link",
];

/** From this machine outwards: what lies nearer explains what lies behind it. */
const order: readonly CauseScope[] = ["machine", "link", "gateway", "resolver", "proxy", "family"];
export const outwards = ({ scope }: Dependency): number => order.findIndex((one) => one === scope);

/** What a failure itself shows; no look can add to it or contradict it. */
export const isSelfEvident = ({ scope }: Dependency): boolean =>
  scope === "machine" || scope === "proxy";

/** Of these, what is over by the time it is seen. */
export const isOverAtOnce = ({ scope, subject }: Dependency): boolean =>
  scope === "machine" && isPassing(subject);
