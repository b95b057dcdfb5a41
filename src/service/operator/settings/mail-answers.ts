import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { showHostPort } from "#network/host-port";
import { basisIn, basisNow } from "#service/operator/changes/basis-field";
import { removalView, noUndo } from "#service/operator/deleting/removal-view";
import { doneNotice } from "#service/operator/form-notice";
import { submitted } from "#service/operator/forms/form-submission";
import {
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  type PageRequest,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import { givenServer, mailFields, typedOf } from "#service/operator/settings/mail-fields";
import { mailTest } from "#service/operator/settings/mail-test";
import {
  type MailPage,
  mailPath,
  mailView,
  testButton,
} from "#service/operator/settings/mail-view";
import { ownAccount } from "#service/operator/settings/own-account";
import { settingsPage } from "#service/operator/settings/settings-page";
import { mailServerSetting } from "#service/store/kept-mail-server";

/** `/settings/mail`: the server that sends mails. What another replica saved just now is shown, too. */
const mailPage: OperatorPage = {
  role: "owner",
  path: /^\/settings\/mail$/,
  answer: async (context, { reader, query }) => {
    const { rooms } = context;
    const basis = await basisNow(rooms, { kind: "setting", id: mailServerSetting });
    await rooms.mailServer.read();
    const to = (await ownAccount(rooms, reader))?.email ?? "";
    const { account, isSetting } = rooms.mailServer;
    return shown(context, reader, {
      state: { typed: typedOf(isSetting ? null : account, to), mistakes: [] },
      notice: doneNotice(noticeIn(query, notices)),
      basis,
      next: nextIn(query),
    });
  },
};

/** Saves the form, or sends a test by what it says, whichever button was pressed. */
const mailForm: OperatorForm = {
  role: "owner",
  path: /^\/settings\/mail$/,
  act: async (context, request) => {
    const { form, reader } = request;
    const { mailServer } = context.rooms;
    await mailServer.read();
    const next = nextIn(form);
    const basis = basisIn(form);
    return submitted(form, {
      fields: mailFields,
      again: (state, status) => shown(context, reader, { state, basis, next }, status),
      act: async (typed) => {
        const isTest = typed.has(testButton);
        if (mailServer.isSetting && !isTest) {
          const notice = { words: bySetting, isFault: true };
          return shown(
            context,
            reader,
            { state: { typed, mistakes: [] }, notice, basis, next },
            400,
          );
        }
        const { account, isSetting } = mailServer;
        const tried =
          isSetting && account !== null
            ? account
            : mailServer.accountOf(givenServer(typed, account));
        if (isTest) {
          const tested = await mailTest(context.rooms, request, tried);
          const state = { typed, mistakes: [] };
          return shown(context, reader, { state, tested, basis, next });
        }
        const { host, port, tls, login, from } = tried;
        await mailServer.change({ host, port, tls, login, from });
        return seeOther(next === "" ? withNotice(mailPath, "saved") : next);
      },
    });
  },
};

const bySetting = "Nothing was saved. PICKET_SMTP_URL says the mail server: change it there.";

/** Asks once before no mails are sent any more. */
const removalPage: OperatorPage = {
  role: "owner",
  path: /^\/settings\/mail\/delete$/,
  answer: async (context, { reader }) => {
    const { mailServer } = context.rooms;
    await mailServer.read();
    const { account, isSetting } = mailServer;
    if (isSetting) return seeOther(mailPath);
    const content = removalView({
      reader,
      back: { path: mailPath, words: "Mail server" },
      title: "Use no mail server?",
      facts:
        account === null
          ? []
          : [
              ["Server", showHostPort(account.host, account.port)],
              ["Sender", account.from],
            ],
      effects: [
        "Channels that send e-mail fail until another server is set.",
        "Subscribers get no mails, and no one gets a link for a new password.",
        "The server, its user and its password go from the database.",
      ],
      undo: noUndo,
      action: `${mailPath}/delete`,
      button: "Use no mail server",
    });
    return settingsPage(context, { reader }, { path: mailPath, title: "Mail server", content });
  },
};

const removalForm: OperatorForm = {
  role: "owner",
  path: /^\/settings\/mail\/delete$/,
  act: async ({ rooms: { mailServer } }) => {
    await mailServer.change(null);
    return seeOther(withNotice(mailPath, mailServer.isSetting ? "" : "removed"));
  },
};

const notices = {
  saved: "Saved. Mails go by this server from now on.",
  removed: "The mail server was removed. No mails are sent from now on.",
} as const;

const nextIn = (given: URLSearchParams): string => {
  const next = given.get("next") ?? "";
  return next === "" ? "" : wantedPath(next);
};

function shown(
  context: PageContext,
  reader: PageRequest["reader"],
  said: Pick<MailPage, "state" | "basis" | "next"> & Partial<MailPage>,
  status = 200,
): PageAnswer {
  const { account, isSetting, isLost } = context.rooms.mailServer;
  const page = { reader, account, isSetting, isLost, notice: null, tested: null, ...said };
  const content = mailView(page);
  return settingsPage(
    context,
    { reader },
    { path: mailPath, title: "Mail server", content, status },
  );
}

export const mailPages: readonly OperatorPage[] = [mailPage, removalPage];
export const mailForms: readonly OperatorForm[] = [mailForm, removalForm];
