import { counted } from "#web/page/format";
import { momentOf } from "#web/page/moment";
import { rulesOf } from "#service/notify/provider-table";
import { seeOther } from "#service/edge/page-answer";
import { sentenceOf } from "#service/operator/channels/channel-selection";
import { refuseManaged } from "#service/operator/managed-note";
import { namesOf, removalView, tenMinutes } from "#service/operator/deleting/removal-view";
import { withUndo } from "#service/operator/deleting/undo-form";
import { framed, type OperatorForm, type OperatorPage } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import type { Picture } from "#service/operator/picture";
import type { ChannelRow } from "#service/store/channel-store";

/** `/channels/ID/delete`: asks once, and says what goes with it. */
const askPage: OperatorPage = {
  role: "editor",
  path: /^\/channels\/(?<id>\d{1,15})\/delete$/,
  answer: async ({ rooms, pictures }, { id, reader }) => {
    const row = await rooms.channels.get(id);
    const { name } = row;
    const picture = await pictures.now();
    const goes = await consequences(rooms, row, picture);
    return framed(
      { reader },
      {
        title: `Delete ${name} · Picket`,
        section: "channels",
        document: null,
        at: picture.at,
        content: removalView({
          reader,
          owner: row.owner,
          back: { path: `/channels/${id}`, words: name },
          title: `Delete the channel ${name}?`,
          facts: [
            ["Provider", rulesOf(row.provider).label],
            ["What it gets", sentenceOf(row, picture)],
            ["Last message", goes.lastSentAt === null ? "none yet" : momentOf(goes.lastSentAt)],
          ],
          effects: goes.effects,
          undo: tenMinutes,
          action: `/channels/${id}/delete`,
          button: "Delete channel",
        }),
      },
    );
  },
};

const deleteForm: OperatorForm = {
  role: "editor",
  path: /^\/channels\/(?<id>\d{1,15})\/delete$/,
  act: async ({ rooms }, { id }) => {
    refuseManaged(await rooms.channels.get(id));
    await rooms.channels.delete(id);
    return seeOther(withUndo("/channels", "channel", [id]));
  },
};

export const channelRemovalPages: readonly OperatorPage[] = [askPage];
export const channelRemovalForms: readonly OperatorForm[] = [deleteForm];

/** What is different without it: messages that wait, and monitors that notify no one any more. */
async function consequences({ store }: PageRooms, row: ChannelRow, picture: Picture) {
  const { channels, deliveries } = store.alerts;
  const [ofMonitors, standing] = await Promise.all([
    channels.ofMonitors(row.monitors),
    deliveries.standing([row.id]),
  ]);
  const alone = new Set<number>(row.monitors.filter((id) => (ofMonitors.get(id) ?? []).length < 2));
  const names = picture.monitors.flatMap(({ id, name }) => (alone.has(id) ? [name] : []));
  const { waiting = 0, lastSentAt = null } = standing.get(row.id) ?? {};
  const effects = [
    "Its data goes, and the list of its messages.",
    ...(waiting === 0
      ? []
      : [
          `${counted(waiting, "message")} that ${waiting === 1 ? "waits" : "wait"} will not be sent.`,
        ]),
    ...(alone.size === 0
      ? row.monitors.length === 0
        ? []
        : ["Each monitor that it is for has another channel."]
      : [
          `${counted(alone.size, "monitor")} ${alone.size === 1 ? "has" : "have"} no other channel: from then on no one is notified of ${alone.size === 1 ? "it" : "them"}${names.length === 0 ? "" : ` (${namesOf(names)})`}.`,
        ]),
  ];
  return { effects, lastSentAt };
}
