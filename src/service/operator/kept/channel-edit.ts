import type { ChannelRules } from "#service/alerting/channel-rules";
import type { ChannelArguments } from "#service/notify/configuration-reading";
import { savedArguments } from "#service/operator/channels/channel-draft";
import { type Edit, keepEdit, savedPath, type UndoneEdit } from "#service/operator/kept/edit-undo";
import type { KnownReader, PageContext } from "#service/operator/page-request";
import { monitorId } from "#service/store/ids";
import type { ChannelRow } from "#service/store/channel-store";

interface ChangedChannel {
  readonly name: string;
  readonly given: ChannelArguments;
  readonly monitorIds: readonly string[];
  readonly rules: ChannelRules;
}

/** Saves what a form says of a channel that is there. Gives where that leads, with its Undo. */
export async function changeChannel(
  context: PageContext,
  reader: KnownReader,
  id: string,
  { given, ...to }: ChangedChannel,
): Promise<string> {
  const { channels, store } = context.rooms;
  const edited = { kind: "channel", id } as const;
  const basis = { ...edited, version: await store.audit.version(edited) };
  const row = await channels.get(id);
  const configured = { provider: row.provider, given };
  await channels.update(id, { ...to, configured, rotate: false, isOlder: false });
  return savedPath(
    basis,
    "saved",
    await keepEdit(context, reader, { ...basis, before: beforeOf(row) }),
  );
}

/** Its configuration stays sealed by the channel's own purpose, in what is sealed again. */
const beforeOf = ({ name, sealed, fingerprint, rules, monitors }: ChannelRow): URLSearchParams =>
  new URLSearchParams({
    name,
    sealed,
    fingerprint,
    rules: JSON.stringify(rules),
    monitors: rules.allMonitors ? "" : monitors.join(" "),
  });

/** The channel is as it was. The secrets that a webhook signs with stay as they are: they are not in its form. */
export async function undoChannelEdit(
  { rooms }: PageContext,
  { id, before }: Edit,
): Promise<UndoneEdit> {
  const row = await rooms.channels.get(id);
  if (row.owner !== "") return { outcome: "owned" };
  const channel = rooms.channels.opened({ ...row, sealed: before.get("sealed") ?? "" });
  const isSame = before.get("fingerprint") === row.fingerprint || channel === null;
  const { signing_secrets: _stay, ...given } = savedArguments(channel);
  const rules: ChannelRules = JSON.parse(before.get("rules") ?? "");
  const listed = (before.get("monitors") ?? "").split(" ").filter((one) => one !== "");
  // One that was deleted meanwhile is left out.
  const there = await rooms.monitors.among(listed.map((one) => monitorId(Number(one))));
  await rooms.channels.update(id, {
    name: before.get("name"),
    configured: isSame ? null : { provider: row.provider, given },
    monitorIds: there.map((one) => String(one.id)),
    rules,
    rotate: false,
    isOlder: false,
  });
  return { outcome: "undone" };
}
