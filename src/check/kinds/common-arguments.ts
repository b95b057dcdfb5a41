import {
  type Argument,
  count,
  flag,
  optionalCount,
  optionalFlag,
  type Pair,
  pairs,
  section,
  text,
  texts,
  type ValuesOf,
  word,
} from "#check/argument";
import { type CommonFields, managementPeriodicities } from "#check/definition";
import { type PolicyArguments, policyArguments } from "#check/policy-arguments";
import * as limits from "#limits/check-limits";

/** An argument for every field of a definition, under its name in snake case: one that is missing does not compile. */
export type ArgumentsOf<D> = {
  readonly [
    F in Exclude<keyof D, "kind" | "otel" | "active" | "alerting" | "labels"> as SnakeCase<F>
  ]: Argument<D[F]>;
} & {
  /** Null if nothing is said: what that means depends on the command. */
  readonly active: Argument<boolean | null>;
  readonly otlp_endpoint: Argument<string>;
  readonly otlp_headers: Argument<readonly Pair[]>;
  readonly alerting: Argument<ValuesOf<PolicyArguments> | null>;
  readonly labels: Argument<readonly Pair[]>;
  /** Not of the monitor itself: where it is assigned, and who is notified of it. */
  readonly locations: Argument<readonly string[]>;
  readonly notifications: Argument<readonly string[]>;
  /** By name; the service knows their ids. */
  readonly depends_on: Argument<readonly string[]>;
  readonly renamed_from: Argument<string>;
};

type SnakeCase<S> = S extends `${infer First}${infer Rest}`
  ? First extends Lowercase<First>
    ? `${First}${SnakeCase<Rest>}`
    : `_${Lowercase<First>}${SnakeCase<Rest>}`
  : S;

/** For every resource that is known by its name. */
export const renamedFrom: Argument<string> = text({
  does: "The name that it had before, so that it keeps its history under the new one.",
  fallback: "",
});

export const nameArgument: Argument<string> = text({
  does: "What the monitor is called in messages, on pages and in later files.",
  limit: `${limits.nameCharsMax} characters; unique among its kind`,
});
export const commonArguments: Omit<ArgumentsOf<CommonFields>, "name"> = {
  renamed_from: renamedFrom,
  periodicity: word(managementPeriodicities, { does: "How often it is checked." }),
  timeout: count("milliseconds", {
    does: "Bounds one attempt as a whole, from the look-up of the name to the last byte, redirects included.",
    limit: `0 to ${limits.timeoutMax}; 0 means the default`,
    fallback: limits.timeoutDefault,
  }),
  degraded_at: optionalCount(
    "milliseconds",
    "A check that passes but takes longer than this is degraded. 0 sets no threshold; 120000 is the most.",
  ),
  retry: count("", {
    does: "How many times a failed attempt is repeated before the check counts as failed.",
    limit: `0 to ${limits.retryMax}`,
    fallback: limits.retryDefault,
  }),
  active: optionalFlag(
    "Whether it is checked. Left out, it counts as `false`, but `picket up` and `picket check` check it anyway.",
  ),
  public: flag({
    does: "Whether status pages that show it have a page of its uptime and latency.",
    fallback: false,
  }),
  description: text({
    does: "A note for whoever is woken by it, e.g. a link to a runbook.",
    limit: `${limits.descriptionCharsMax} characters`,
    fallback: "",
  }),
  regions: texts({
    does: "Regions of a hosted service. They are stored; agents of private locations ignore them.",
    fallback: [],
  }),
  alerting: section(
    policyArguments,
    "When its trouble becomes an incident, and when that is over: see [alerting](../alerting.md).",
  ),
  depends_on: texts({
    does: "Names of monitors that it cannot work without: while one of them is down, its alerts wait. `picket up` ignores it.",
    limit: `${limits.dependenciesMax} monitors`,
    fallback: [],
  }),
  signature: text({
    does: "What `picket apply --sign` makes of the monitor, so that agents know who wrote it: see [signing](../signing.md). `picket export` writes it.",
    fallback: "",
  }),
  labels: pairs({
    does: "Labels by which channels and silences select it, e.g. `team: shop`.",
    limit: `${limits.locationLabelsMax} labels`,
    fallback: [],
  }),
  locations: texts({
    does: "Names of the private locations that run it; `picket up` and `picket check` ignore it.",
    fallback: [],
  }),
  notifications: texts({
    does: "Names of the notification channels that get its incidents; `picket check` ignores it.",
    fallback: [],
  }),
  otlp_endpoint: text({
    does: "An OTLP/HTTP endpoint that gets the metrics of this monitor's checks.",
    limit: "http:// or https://",
    fallback: "",
  }),
  otlp_headers: pairs({
    does: "Headers sent with each export of these metrics, e.g. for authentication.",
    limit: `${limits.headersMax} headers; needs \`otlp_endpoint\``,
    fallback: [],
  }),
};

export const assertionsLimit: string = `${limits.assertionsMax} assertions`;
