import type { Verb } from "#service/store/verb";
import { accounts } from "#service/store/verbs/people-accounts";
import { appendResults, missSlots } from "#service/store/verbs/append-results";
import { auditEntries } from "#service/store/verbs/audit-entries";
import { channels } from "#service/store/verbs/channels";
import { comments } from "#service/store/verbs/comments";
import { configuration } from "#service/store/verbs/estate";
import { deliveries } from "#service/store/verbs/deliveries";
import { endedSessions } from "#service/store/verbs/ended-sessions";
import { evidence } from "#service/store/verbs/outage-evidence";
import { forgetOld } from "#service/store/verbs/forget-old";
import { history } from "#service/store/verbs/history";
import { incidents } from "#service/store/verbs/incidents";
import { instances } from "#service/store/verbs/instances";
import { keptForms } from "#service/store/verbs/kept-form-rows";
import { keys } from "#service/store/verbs/keys";
import { locations } from "#service/store/verbs/locations";
import { monitors } from "#service/store/verbs/monitors";
import { maintenanceUpdates } from "#service/store/verbs/maintenance-updates";
import { maintenances, silences } from "#service/store/verbs/planned-work";
import { componentGroups, pageComponents, statusPages } from "#service/store/verbs/pages";
import { pageSessions } from "#service/store/verbs/page-sessions";
import { letters } from "#service/store/verbs/reader-letters";
import { statusReports } from "#service/store/verbs/status-reports";
import { subscribers } from "#service/store/verbs/subscribers";
import { trash } from "#service/store/verbs/trash";
import { leases, settings, states } from "#service/store/verbs/work";

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
    ...Object.values(accounts),
    ...Object.values(pageSessions),
    ...Object.values(keptForms),
    ...Object.values(states),
    ...Object.values(leases),
    ...Object.values(incidents),
    ...Object.values(comments),
    ...Object.values(maintenanceUpdates),
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
    ...Object.values(auditEntries),
    ...Object.values(trash),
  ].map((verb): readonly [string, Verb<readonly never[], unknown>] => [verb.name, verb]),
);
