import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { seeOther } from "#service/edge/page-answer";
import { sentenceOf } from "#service/operator/channels/channel-selection";
import { ownForm } from "#service/operator/form-fields";
import { managedNote, refuseManaged } from "#service/operator/managed-note";
import { withUndo } from "#service/operator/deleting/undo-form";
import { framed, type OperatorForm, type OperatorPage } from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import type { ChannelRow } from "#service/store/channel-store";

/** `/channels/ID/delete`: asks once, and says what goes with it. */
const askPage: OperatorPage = {
  role: "editor",
  path: /^\/channels\/(?<id>\d{1,15})\/delete$/,
  answer: async ({ rooms, pictures }, { id, reader }) => {
    const row = await rooms.channels.get(id);
    const { name } = row;
    const picture = await pictures.now();
    const goes = await consequences(rooms, row);
    return framed(
      { reader },
      {
        title: `Delete ${name} · Picket`,
        section: "channels",
        document: null,
        at: picture.at,
        content: html`<p class="back"><a href="/channels/${id}">${name}</a></p>
          <h1 class="page">Delete ${name}?</h1>
          <p>${sentenceOf(row, picture)}</p>
          ${goes}
          ${
            row.owner === ""
              ? ownForm(
                  `/channels/${id}/delete`,
                  reader,
                  html`<button type="submit" class="danger">Delete the channel</button>
                    <a class="button" href="/channels/${id}">Cancel</a>`,
                )
              : managedNote(row.owner)
          }`,
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
async function consequences({ store }: PageRooms, row: ChannelRow): Promise<Html> {
  const { channels, deliveries } = store.alerts;
  const [ofMonitors, standing] = await Promise.all([
    channels.ofMonitors(row.monitors),
    deliveries.standing([row.id]),
  ]);
  const alone = row.monitors.filter((id) => (ofMonitors.get(id) ?? []).length < 2).length;
  const waiting = standing.get(row.id)?.waiting ?? 0;
  return html`<p>With it goes:</p>
    <ul class="remarks">
      <li>Its data, and the list of its messages.</li>
      ${waiting === 0 ? null : html`<li>${counted(waiting, "message")} that ${waiting === 1 ? "waits" : "wait"}.</li>`}
      ${
        alone === 0
          ? null
          : html`<li>
              ${counted(alone, "monitor")} ${alone === 1 ? "has" : "have"} no other channel: from
              then on no one is notified of ${alone === 1 ? "it" : "them"}.
            </li>`
      }
    </ul>
    <p class="words">You can undo this for ten minutes.</p>`;
}
