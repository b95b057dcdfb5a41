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
import { endView, sessionsPath, sessionsView } from "#service/operator/settings/session-views";
import { settingsPage } from "#service/operator/settings/settings-page";
import { endEvents } from "#service/store/audit/session-event";
import type { PageSessionRow } from "#service/store/people-store";

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

/** `/settings/sessions/ID/end`: asks once. */
const endPage: OperatorPage = {
  role: "reader",
  path: /^\/settings\/sessions\/(?<id>\d{1,15})\/end$/,
  answer: async (context, { id, reader }) => {
    const session = await sessionAt(context.rooms, reader, id);
    const content = endView(session, reader, context.rooms.clock.wall());
    const title = `End the session of ${session.name}`;
    return settingsPage(context, { reader }, { path: sessionsPath, title, content });
  },
};

async function sessionAt(
  rooms: PageRooms,
  reader: KnownReader,
  id: string,
): Promise<PageSessionRow> {
  const sessions = await sessionsFor(rooms, reader);
  const session = sessions.find((one) => String(one.id) === id);
  if (session === undefined) throw new Refusal("not_found", "there is no such session");
  return session;
}

const endForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/sessions\/(?<id>\d{1,15})\/end$/,
  act: async ({ rooms }, { id, reader }) => {
    const session = await sessionAt(rooms, reader, id);
    const { sessions } = rooms.store.people;
    await rooms.signIns.ends((isNoted) => sessions.end(session.id, isNoted), endEvents);
    return seeOther(withNotice(sessionsPath, "ended"));
  },
};

const endOthersForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/sessions\/end-others$/,
  act: async ({ rooms }, { reader }) => {
    const { sessions } = rooms.store.people;
    if (reader.kind === "signed in")
      await rooms.signIns.ends(
        (isNoted) => sessions.endAll(reader.who, reader.session, isNoted),
        endEvents,
      );
    return seeOther(withNotice(sessionsPath, "others"));
  },
};

const notices = {
  ended: "Ended. Its browser has to sign in again.",
  others: "Your other sessions have ended.",
} as const;

export const sessionPages: readonly OperatorPage[] = [listPage, endPage];
export const sessionForms: readonly OperatorForm[] = [endForm, endOthersForm];
