import { violation } from "#service/edge/call-refusal";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { doneNotice } from "#service/operator/form-notice";
import {
  type KnownReader,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  type PageRequest,
  sessionOf,
  withNotice,
} from "#service/operator/page-request";
import { codesView } from "#service/operator/settings/factor-view";
import { accountOf, hasAccount } from "#service/operator/settings/own-account";
import {
  makingView,
  noAccountView,
  notMadeView,
  passkeysPath,
  passkeysView,
  type PasskeysPage,
} from "#service/operator/settings/passkey-views";
import { waitingAccount } from "#service/operator/settings/waiting-account";
import { settingsPage } from "#service/operator/settings/settings-page";
import { mistakesOf } from "#service/operator/settings/small-form";
import { type PasskeySite, passkeySite } from "#service/people/passkey-site";

/** `/settings/passkeys`: those of the person who reads it. */
const listPage: OperatorPage = {
  role: "reader",
  path: /^\/settings\/passkeys$/,
  answer: async (context, request) => {
    const { query, reader } = request;
    return hasAccount(reader)
      ? shown(context, request, { notice: doneNotice(noticeIn(query, notices)) })
      : inSettings(
          context,
          reader,
          noAccountView(reader, await waitingAccount(context.rooms, reader)),
          200,
        );
  },
};

async function shown(
  context: PageContext,
  { reader, address }: Pick<PageRequest, "reader" | "address">,
  said: Partial<PasskeysPage>,
): Promise<PageAnswer> {
  const { rooms } = context;
  const page: PasskeysPage = {
    reader,
    passkeys: await rooms.passkeys.list(await accountOf(rooms, reader)),
    site: passkeySite(address),
    notice: null,
    mistakes: [],
    about: null,
    typed: "",
    ...said,
  };
  return inSettings(context, reader, passkeysView(page), page.mistakes.length > 0 ? 400 : 200);
}

const inSettings = (
  context: PageContext,
  reader: KnownReader,
  content: ReturnType<typeof passkeysView>,
  status: number,
): PageAnswer =>
  settingsPage(context, { reader }, { path: "/settings", title: "Passkeys", content, status });

/** The first step: whoever sits at an open session proves that they are its person. */
const newForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/passkeys$/,
  act: async (context, request) => {
    const { form, reader, address } = request;
    const { people, passkeys } = context.rooms;
    const account = await accountOf(context.rooms, reader);
    const name = form.get("name") ?? "";
    try {
      const wanted = { name, session: sessionOf(reader), site: siteAt(address) };
      await people.refuseWrongPassword(account, form.get("current") ?? "");
      const challenge = await passkeys.draft(account, wanted);
      return inSettings(context, reader, makingView({ reader, challenge }), 200);
    } catch (error) {
      return shown(context, request, { typed: name, mistakes: mistakesOf(error) });
    }
  },
};

const confirmForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/passkeys\/confirm$/,
  act: async (context, { form, reader, address }) => {
    const account = await accountOf(context.rooms, reader);
    const answered = { sealed: form.get("asked") ?? "", answer: form.get("answer") ?? "" };
    try {
      const session = sessionOf(reader);
      const site = siteAt(address);
      const codes = await context.rooms.passkeys.confirm(account, { session, site }, answered);
      if (codes.length === 0) return seeOther(withNotice(passkeysPath, "added"));
      return inSettings(context, reader, codesView(codes), 200);
    } catch (error) {
      return inSettings(context, reader, notMadeView(mistakesOf(error)), 400);
    }
  },
};

const removeForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/passkeys\/(?<id>\d{1,15})\/remove$/,
  act: async (context, request) => {
    const { id, form, reader } = request;
    const { people, passkeys } = context.rooms;
    const account = await accountOf(context.rooms, reader);
    try {
      await people.refuseWrongPassword(account, form.get("current") ?? "");
    } catch (error) {
      return shown(context, request, { about: Number(id), mistakes: mistakesOf(error) });
    }
    await passkeys.remove(account, Number(id));
    return seeOther(withNotice(passkeysPath, "removed"));
  },
};

function siteAt(address: string): PasskeySite {
  const site = passkeySite(address);
  if (site !== null) return site;
  throw violation({
    field: "",
    message: "browsers make no passkey for this address: open the service by its name over https",
  });
}

const notices = {
  added: "Added. It is asked for after your password from now on.",
  removed: "Removed. It opens nothing from now on.",
} as const;

export const passkeyPages: readonly OperatorPage[] = [listPage];
export const passkeyForms: readonly OperatorForm[] = [newForm, confirmForm, removeForm];
