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
  withNotice,
} from "#service/operator/page-request";
import { accountOf, ownAccount } from "#service/operator/settings/own-account";
import { type ProfilePage, profileView } from "#service/operator/settings/profile-view";
import { codesView, factorView } from "#service/operator/settings/factor-view";
import { settingsPage } from "#service/operator/settings/settings-page";
import { mistakesOf } from "#service/operator/settings/small-form";
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
  said: Partial<Pick<ProfilePage, "notice" | "mistakes" | "about" | "typedName">>,
): Promise<PageAnswer> {
  const { rooms } = context;
  const account = await ownAccount(rooms, reader);
  const page: ProfilePage = {
    reader,
    theme,
    account,
    codesLeft: account === null ? 0 : await rooms.factors.recoveryCodesLeft(account),
    sessions: await sessionsOf(rooms, reader),
    notice: null,
    mistakes: [],
    about: "password",
    typedName: null,
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

/** `/settings/name`: what others read of whoever did something. */
const nameForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/name$/,
  act: async (context, { form, ...by }) => {
    const account = await accountOf(context.rooms, by.reader);
    const typedName = form.get("name") ?? "";
    try {
      await context.rooms.people.rename(account.id, typedName);
      return seeOther(withNotice("/settings", "name"));
    } catch (error) {
      return shown(context, by, { mistakes: mistakesOf(error), about: "name", typedName });
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
      return seeOther("/sign-in?password-changed");
    } catch (error) {
      return shown(context, by, { mistakes: mistakesOf(error), about: "password" });
    }
  },
};

/** `/settings/time-zone`: in which zone pages show times to this person. An account keeps it, or else their browser. */
const zoneForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/time-zone$/,
  act: async ({ rooms }, { form, reader, isSecure }) => {
    const zone = form.get("time_zone") ?? "";
    const account = await ownAccount(rooms, reader);
    const to = withNotice("/settings", "zone");
    if (account === null) {
      refuseUnknownZone(zone);
      return seeOther(to, { "set-cookie": zoneCookieText(zone, isSecure) });
    }
    await rooms.people.setTimeZone(account.id, zone);
    return seeOther(to);
  },
};

/** `/settings/theme`: how pages look in this browser, whoever reads them in it. */
const themeForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/theme$/,
  act: async (_context, { form, isSecure }) => {
    const theme = themeOf(form.get("theme") ?? "");
    const set = { "set-cookie": themeCookieText(theme, isSecure) };
    return Promise.resolve(seeOther(withNotice("/settings", "theme"), set));
  },
};

/** `/settings/factor`: a second factor that is not kept until its first code was shown. */
const factorPage: OperatorPage = {
  role: "reader",
  path: /^\/settings\/factor$/,
  answer: async (context, { reader }) => {
    const account = await accountOf(context.rooms, reader);
    if (account.sealed !== "") return seeOther("/settings");
    const draft = context.rooms.factors.draft(account);
    return settingsPage(
      context,
      { reader },
      {
        path: "/settings",
        title: "Second factor",
        content: factorView({ draft, reader, mistakes: [] }),
      },
    );
  },
};

const confirmForm: OperatorForm = {
  role: "reader",
  path: /^\/settings\/factor$/,
  act: async (context, { form, reader }) => {
    const { factors } = context.rooms;
    const account = await accountOf(context.rooms, reader);
    const draft = factors.again(account, form.get("draft") ?? "");
    if (draft === null || account.sealed !== "") return seeOther("/settings/factor");
    const title = "Second factor";
    try {
      const codes = await factors.confirm(account, draft, form.get("code") ?? "");
      const content = codesView(codes);
      return settingsPage(context, { reader }, { path: "/settings", title, content });
    } catch (error) {
      const content = factorView({ draft, reader, mistakes: mistakesOf(error) });
      return settingsPage(context, { reader }, { path: "/settings", title, content, status: 400 });
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
  name: "Saved. Others see this name from now on.",
  theme: "Saved. Pages have this theme in this browser.",
  zone: "Saved. Pages show you times in this zone.",
  "app-removed": "Removed. A passkey is asked for after your password.",
  removed: "Removed. Your password alone signs you in now.",
} as const;

export const profilePages: readonly OperatorPage[] = [profilePage, factorPage];
export const profileForms: readonly OperatorForm[] = [
  nameForm,
  passwordForm,
  zoneForm,
  themeForm,
  confirmForm,
  removeFactorForm,
];
