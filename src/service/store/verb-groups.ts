import type { Store } from "#service/store/store";
import type { VerbsOf } from "#service/store/verb";
import { accounts } from "#service/store/verbs/people-accounts";
import { auditEntries } from "#service/store/verbs/audit-entries";
import { channels } from "#service/store/verbs/channels";
import { comments } from "#service/store/verbs/comments";
import { configuration } from "#service/store/verbs/estate";
import { deliveries } from "#service/store/verbs/deliveries";
import { endedSessions } from "#service/store/verbs/ended-sessions";
import { evidence } from "#service/store/verbs/outage-evidence";
import { incidents } from "#service/store/verbs/incidents";
import { instances } from "#service/store/verbs/instances";
import { keptForms } from "#service/store/verbs/kept-form-rows";
import { keys } from "#service/store/verbs/keys";
import { locations } from "#service/store/verbs/locations";
import { monitors } from "#service/store/verbs/monitors";
import { maintenanceUpdates } from "#service/store/verbs/maintenance-updates";
import { maintenances, silences } from "#service/store/verbs/planned-work";
import { componentGroups, pageComponents } from "#service/store/verbs/page-parts";
import { statusPages } from "#service/store/verbs/pages";
import { pageTemplates } from "#service/store/verbs/pages/page-templates";
import { passkeys } from "#service/store/verbs/passkey-rows";
import { paths } from "#service/store/verbs/monitor-paths";
import { pageSessions } from "#service/store/verbs/page-sessions";
import { letters } from "#service/store/verbs/reader-letters";
import { statusReports } from "#service/store/verbs/status-reports";
import { subscribers } from "#service/store/verbs/subscribers";
import { trash } from "#service/store/verbs/trash";
import { leases, settings, states } from "#service/store/verbs/work";

/** The groups of verbs of a part of the store. */
type GroupsOf<T> = { readonly [G in keyof T]: VerbsOf<T[G]> };

interface Parts extends Pick<Store, "state" | "alerts" | "pages" | "readers" | "people"> {
  /** Parts of the store that are one group each. */
  readonly alone: Pick<Store, "configuration" | "audit" | "trash" | "paths">;
}

/** Every group of verbs, by the part of the store and the name that callers have for it. */
export const verbGroups: { readonly [P in keyof Parts]: GroupsOf<Parts[P]> } = {
  state: { settings, monitors, locations, instances, keys, endedSessions, states, leases },
  alerts: {
    incidents,
    comments,
    deliveries,
    channels,
    silences,
    maintenances,
    maintenanceUpdates,
    evidence,
  },
  pages: {
    pages: statusPages,
    components: pageComponents,
    groups: componentGroups,
    reports: statusReports,
    templates: pageTemplates,
  },
  readers: { subscribers, letters },
  people: { accounts, passkeys, sessions: pageSessions, keptForms },
  alone: { configuration, audit: auditEntries, trash, paths },
};
