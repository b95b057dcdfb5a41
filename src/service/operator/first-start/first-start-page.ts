import { waitingAccount } from "#service/operator/settings/waiting-account";
import { firstSteps } from "#service/operator/first-start/first-steps";
import { optionalSteps } from "#service/operator/first-start/optional-steps";
import { firstStartView } from "#service/operator/first-start/first-start-view";
import { html } from "#web/page/html";
import { madeNotice } from "#service/operator/first-start/made-notice";
import * as limits from "#limits/pages-limits";
import { doneNotice, noticeLine } from "#service/operator/form-notice";
import { addressNotices } from "#service/operator/settings/service-answers";
import { openNotice } from "#service/operator/channels/open-notice";
import { framed, noticeIn, type OperatorPage } from "#service/operator/page-request";

/** `/start`: the three steps from nothing to a message. */
export const firstStartPage: OperatorPage = {
  role: "editor",
  path: /^\/start$/,
  answer: async ({ rooms, pictures }, request) => {
    const picture = await pictures.now();
    const { query } = request;
    const channels = await rooms.channels.list(limits.setThingsShown, 0);
    const noticed =
      madeNotice(query, picture, channels) ??
      doneNotice(openNotice(query) ?? noticeIn(query, addressNotices));
    return framed(request, {
      title: "First steps · Picket",
      section: "monitors",
      document: null,
      at: picture.at,
      content: html`${noticeLine(noticed)}${firstStartView(
        await firstSteps(rooms, picture),
        { ...picture, channels },
        optionalSteps(rooms.publicAddress, request, {
          hasFile: picture.monitors.length === 0,
          people: await rooms.people.list(),
          waiting: await waitingAccount(rooms, request.reader),
        }),
      )}`,
    });
  },
};
