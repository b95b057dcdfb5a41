import { type ChannelRules, namedRules } from "#service/alerting/channel-rules";
import type { NotificationChannels } from "#service/channels/notification-channels";
import {
  differencesByName,
  type FieldDifference,
  namesDifference,
  plainDifference,
} from "#service/configuration/field-difference";
import { sorted } from "#service/configuration/place-plan";
import { byName, type Planning } from "#service/configuration/planning";
import type { WantedTarget } from "#service/configuration/wanted";
import type { ChannelRow } from "#service/store/channel-store";
import type { ObjectRef } from "#service/store/configuration-store";
import { durationText } from "#base/duration";
import { type EpochMillis, millis } from "#base/units";

/** Plans the notification channels. One of another provider is another channel: it is replaced. */
export function planTargets(
  planning: Planning,
  wanted: readonly WantedTarget[],
  { at, channels }: { readonly at: EpochMillis; readonly channels: NotificationChannels },
): void {
  const known = byName("notification", planning.estate.channels, ({ name }) => name, wanted);
  for (const one of wanted) {
    const found = planning.find("notification", one, known);
    if (!found.clear) continue;
    const by = `The notification "${one.name}"`;
    const monitors = planning.monitorsNamed(one.monitors, by);
    const locations = planning.locationsNamed(one.locations, by);
    const refs = { monitors, locations };
    const { row } = found;
    if (row === null || row.provider !== one.provider)
      make(planning, one, row, { refs, at, channels });
    else change(planning, one, row, { refs, at, channels, notes: found.notes });
  }
}

interface Scene {
  readonly refs: {
    readonly monitors: readonly ObjectRef[];
    readonly locations: readonly ObjectRef[];
  };
  readonly at: EpochMillis;
  readonly channels: NotificationChannels;
}

function make(
  planning: Planning,
  { name, provider, given, rules }: WantedTarget,
  row: ChannelRow | null,
  { refs, at, channels }: Scene,
): void {
  const fields = [
    ...(row === null ? [] : plainDifference("provider_type", row.provider, provider)),
    ...namesDifference(
      "monitors",
      [],
      refs.monitors.map((ref) => planning.monitorName(ref)),
    ),
  ];
  const notes = row === null ? [] : ["another provider makes another channel"];
  const action = row === null ? "create" : "replace";
  planning.say(row?.id ?? null, { action, kind: "notification", name, fields, notes });
  const { uid, secret } = channels.sealed(provider, given, null);
  const made = { uid, name, provider, ...secret, rules, owner: planning.owner, labels: {}, at };
  planning.writes.newChannels.push({ made, ...refs });
  if (row !== null) planning.remove("channel", row.id);
}

function change(
  planning: Planning,
  { name, provider, given, rules }: WantedTarget,
  row: ChannelRow,
  { refs, at, channels, notes }: Scene & { readonly notes: readonly string[] },
): void {
  const { secret } = channels.sealed(provider, given, row);
  const isSecret = secret.fingerprint !== row.fingerprint;
  const called = (all: readonly ObjectRef[]): readonly string[] =>
    all.map((ref) => planning.monitorName(ref));
  const placed = (all: readonly ObjectRef[]): readonly string[] =>
    all.map((ref) => planning.locationName(ref));
  const fields: readonly FieldDifference[] = [
    ...plainDifference("name", row.name, name),
    ...(isSecret ? [{ name: provider, shown: null, names: null }] : []),
    ...differencesByName(compared(row.rules), compared(rules)),
    ...namesDifference("locations", placed(row.rules.locations), placed(refs.locations)),
    // A channel of all monitors has whatever there is.
    ...(rules.allMonitors
      ? []
      : namesDifference("monitors", called(row.monitors), called(refs.monitors))),
  ];
  const isSame = fields.length + notes.length === 0;
  const action = isSame ? "same" : "update";
  planning.say(row.id, { action, kind: "notification", name, fields, notes });
  if (isSame) return;
  const ownership = { owner: planning.owner, labels: {} };
  const to = { name, secret: isSecret ? secret : null, rules, ownership, at };
  planning.writes.channels.push({ id: row.id, to, ...refs });
}

/** Locations are compared by their names, apart. */
const compared = (rules: ChannelRules) =>
  namedRules({
    ...rules,
    delay: durationText(rules.delay),
    reminder: durationText(rules.reminder ?? millis(0)),
    locations: null,
    labels: sorted(rules.labels),
  });
