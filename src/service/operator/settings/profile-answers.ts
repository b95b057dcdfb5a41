import { passwordChangedPath } from "#service/operator/forgotten/kept-address";
import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import * as limits from "#limits/pages-limits";
import { doneNotice } from "#service/operator/form-notice";
import {
  type KnownReader,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  type PageRequest,
  wantedPath,
  withNotice,
} from "#service/operator/page-request";
import { accountOf, ownAccount } from "#service/operator/settings/own-account";
import { type ProfilePage, profileView } from "#service/operator/settings/profile-view";
import {
  codesView,
  type FactorPage,
  factorPath,
  factorView,
} from "#service/operator/settings/factor-view";
import { settingsPage } from "#service/operator/settings/settings-page";
import { mistakesOf } from "#service/operator/settings/small-form";
import { waitingAccount } from "#service/operator/settings/waiting-account";
import type { PageRooms } from "#service/operator/page-rooms";
import { refuseUnknownZone } from "#service/people/people";
import { themeCookieText, themeOf } from "#service/operator/settings/theme";
import { zoneCookieText } from "#service/operator/zones/zone-cookie";

/** `/settings`: who a person is here, their password and their second factor. */
const profilePage: OperatorPage = {
  role: "reader",
  path: /^\/settings$/,
  answer: (context, { query, ...by }) =>
    shown(context, by, { notice: doneNotice(noticeIn(query, notices)) }),
};

async function shown(
  context: PageContext,
  { reader, theme }: Pick<PageRequest, "reader" | "theme">,
  said: Partial<Pick<ProfilePage, "notice" | "mistakes" | "about" | "typed">>,
): Promise<PageAnswer> {
  const { rooms } = context;
  const account = await ownAccount(rooms, reader);
  const page: ProfilePage = {
    reader,
    theme,
    account,
    waiting: account === null ? await waitingAccount(rooms, reader) : null,
    codesLeft: account === null ? 0 : await rooms.factors.recoveryCodesLeft(account),
    sessions: await sessionsOf(rooms, reader),
    notice: null,
    mistakes: [],
    about: "password",
    typed: null,
    ...said,
  };
  return settingsPage(
    context,
    { reader },
    {
      path: "/settings",
      title: "Profile",
      content: profileView(page),
      status: page.mistakes.length > 0 ? 400 : 200,
    },
  );
}

async function sessionsOf({ store, clock }: PageRooms, reader: KnownReader): Promise<number> {
  if (reader.kind === "local") return 0;
  const { sessions } = store.people;
  return (await sessions.list(reader.who, clock.wall(), limits.sessionsListed)).length;
}

/**
 * `/settings/profile`: what others read of whoever did something, and how pages look to them. An account keeps the name and
 * the zone, or else their browser the zone; the theme is the browser's. What a form does not have stays. One with `back`
 * leads there: the theme is chosen on any page.
 */
const ownForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/profile$/,
  act: async (context, { form, isSecure, ...by }) => {
    const { rooms } = context;
    const name = form.get("name");
    const zone = form.get("time_zone");
    const theme = form.get("theme");
    try {
      const account = await (name === null ? ownAccount : accountOf)(rooms, by.reader);
      const chosen = theme === null ? null : themeCookieText(themeOf(theme), isSecure);
      if (zone !== null) refuseUnknownZone(zone);
      if (account !== null && name !== null) await rooms.people.rename(account.id, name);
      if (account !== null && zone !== null) await rooms.people.setTimeZone(account.id, zone);
      const kept = zone === null || account !== null ? null : zoneCookieText(zone, isSecure);
      const cookies = [chosen, kept].filter((one) => one !== null);
      const back = form.get("back");
      const to = back === null ? withNotice("/settings", "profile") : wantedPath(back);
      return seeOther(to, cookies.length === 0 ? {} : { "set-cookie": cookies });
    } catch (error) {
      return shown(context, by, { mistakes: mistakesOf(error), about: "own", typed: form });
    }
  },
};

/** Ends every session of the person, this one too: whoever changed it shows that they know it. */
const passwordForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/password$/,
  act: async (context, { form, ...by }) => {
    const account = await accountOf(context.rooms, by.reader);
    try {
      await context.rooms.people.changePassword(
        account,
        form.get("current") ?? "",
        form.get("password") ?? "",
      );
      return seeOther(passwordChangedPath(context.rooms.box, account.email));
    } catch (error) {
      return shown(context, by, { mistakes: mistakesOf(error), about: "password" });
    }
  },
};

/**
 * `/settings/factor`: a second factor that is not kept until its first code was shown. Its address has it sealed, so that a
 * renewal and a reload show the same secret as the one that the app already has.
 */
const factorPage: OperatorPage = {
  role: "reader",
  path: /^\/settings\/factor$/,
  answer: async (context, { query, reader }) => {
    const { factors } = context.rooms;
    const account = await accountOf(context.rooms, reader);
    if (account.sealed !== "") return seeOther("/settings");
    const draft = factors.again(account, query.get("draft") ?? "");
    return draft === null
      ? seeOther(factorPath(factors.draft(account)))
      : factorAnswer(context, { draft, reader, mistakes: [] });
  },
};

const factorAnswer = (context: PageContext, page: FactorPage): PageAnswer =>
  settingsPage(context, page, {
    path: "/settings",
    title: "Second factor",
    content: factorView(page),
    status: page.mistakes.length > 0 ? 400 : 200,
  });

const confirmForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/factor$/,
  act: async (context, { form, reader }) => {
    const { people, factors } = context.rooms;
    const account = await accountOf(context.rooms, reader);
    const draft = factors.again(account, form.get("draft") ?? "");
    if (draft === null || account.sealed !== "") return seeOther("/settings/factor");
    try {
      // Whoever sits at an open session shows that it is theirs, as for a passkey.
      await people.refuseWrongPassword(account, form.get("current") ?? "");
      const codes = await factors.confirm(account, draft, form.get("code") ?? "");
      const content = codesView(codes);
      return settingsPage(
        context,
        { reader },
        { path: "/settings", title: "Second factor", content },
      );
    } catch (error) {
      return factorAnswer(context, { draft, reader, mistakes: mistakesOf(error) });
    }
  },
};

const removeFactorForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/factor\/remove$/,
  act: async (context, { form, ...by }) => {
    const { people, factors } = context.rooms;
    const account = await accountOf(context.rooms, by.reader);
    try {
      await people.refuseWrongPassword(account, form.get("current") ?? "");
      await factors.remove(account);
      return seeOther(withNotice("/settings", account.passkeys > 0 ? "app-removed" : "removed"));
    } catch (error) {
      return shown(context, by, { mistakes: mistakesOf(error), about: "factor" });
    }
  },
};

const notices = {
  profile: "Saved.",
  "app-removed": "Removed. A passkey is asked for after your password.",
  removed: "Removed. Your password alone signs you in now.",
} as const;

export const profilePages: readonly OperatorPage[] = [profilePage, factorPage];
export const profileForms: readonly OperatorForm[] = [
  ownForm,
  passwordForm,
  confirmForm,
  removeFactorForm,
];
