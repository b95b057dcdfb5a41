import * as limits from "#limits/pages-limits";
import { Refusal } from "#service/edge/call-refusal";
import { seeOther } from "#service/edge/page-answer";
import { doneNotice } from "#service/operator/form-notice";
import {
  type KnownReader,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  withNotice,
} from "#service/operator/page-request";
import type { PageRooms } from "#service/operator/page-rooms";
import { may } from "#service/operator/roles";
import { sessionsView } from "#service/operator/settings/session-views";
import { settingsPage } from "#service/operator/settings/settings-page";
import type { PageSessionRow } from "#service/store/people-store";

export const sessionsPath = "/settings/sessions";

/** `/settings/sessions`: where a person is signed in; owners see all of them. */
const listPage: OperatorPage = {
  role: "reader",
  path: /^\/settings\/sessions$/,
  answer: async (context, request) => {
    const { reader, query } = request;
    const content = sessionsView({
      sessions: await sessionsFor(context.rooms, reader),
      now: context.rooms.clock.wall(),
      reader,
      notice: doneNotice(noticeIn(query, notices)),
    });
    return settingsPage(context, request, { path: sessionsPath, title: "Sessions", content });
  },
};

/** Those that a reader may see and end: their own, and of an owner all. */
const sessionsFor = (
  { store, clock }: PageRooms,
  reader: KnownReader,
): Promise<readonly PageSessionRow[]> => {
  const who = may(reader, "owner") || reader.kind === "local" ? null : reader.who;
  return store.people.sessions.list(who, clock.wall(), limits.sessionsListed);
};

const endForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/sessions\/(?<id>\d{1,15})\/end$/,
  act: async ({ rooms }, { id, reader }) => {
    const sessions = await sessionsFor(rooms, reader);
    const session = sessions.find((one) => String(one.id) === id);
    if (session === undefined) throw new Refusal("not_found", "there is no such session");
    await rooms.store.people.sessions.end(session.id);
    return seeOther(withNotice(sessionsPath, "ended"));
  },
};

const endOthersForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/sessions\/end-others$/,
  act: async ({ rooms }, { reader }) => {
    if (reader.kind === "signed in")
      await rooms.store.people.sessions.endAll(reader.who, reader.session);
    return seeOther(withNotice(sessionsPath, "others"));
  },
};

const notices = {
  ended: "Ended. Its browser has to sign in again.",
  others: "Your other sessions have ended.",
} as const;

export const sessionPages: readonly OperatorPage[] = [listPage];
export const sessionForms: readonly OperatorForm[] = [endForm, endOthersForm];
