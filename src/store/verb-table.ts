import type { Verb } from "#store/verb";
import { appendResults, missSlots } from "#store/verbs/append-results";
import { channels } from "#store/verbs/channels";
import { configuration } from "#store/verbs/estate";
import { deliveries } from "#store/verbs/deliveries";
import { endedSessions } from "#store/verbs/ended-sessions";
import { evidence } from "#store/verbs/outage-evidence";
import { forgetOld } from "#store/verbs/forget-old";
import { history } from "#store/verbs/history";
import { incidents } from "#store/verbs/incidents";
import { instances } from "#store/verbs/instances";
import { keys } from "#store/verbs/keys";
import { locations } from "#store/verbs/locations";
import { monitors } from "#store/verbs/monitors";
import { maintenances, silences } from "#store/verbs/planned-work";
import { componentGroups, pageComponents, statusPages } from "#store/verbs/pages";
import { letters } from "#store/verbs/reader-letters";
import { statusReports } from "#store/verbs/status-reports";
import { subscribers } from "#store/verbs/subscribers";
import { leases, settings, states } from "#store/verbs/work";

/** Every verb by its name, for a thread that is sent names. */
export const verbOf: ReadonlyMap<string, Verb<readonly never[], unknown>> = new Map(
  [
    appendResults,
    missSlots,
    forgetOld,
    ...Object.values(history),
    ...Object.values(settings),
    ...Object.values(monitors),
    ...Object.values(locations),
    ...Object.values(instances),
    ...Object.values(keys),
    ...Object.values(endedSessions),
    ...Object.values(states),
    ...Object.values(leases),
    ...Object.values(incidents),
    ...Object.values(deliveries),
    ...Object.values(channels),
    ...Object.values(silences),
    ...Object.values(maintenances),
    ...Object.values(evidence),
    ...Object.values(statusPages),
    ...Object.values(pageComponents),
    ...Object.values(componentGroups),
    ...Object.values(statusReports),
    ...Object.values(subscribers),
    ...Object.values(letters),
    ...Object.values(configuration),
  ].map((verb): readonly [string, Verb<readonly never[], unknown>] => [verb.name, verb]),
);
