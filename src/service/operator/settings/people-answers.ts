import { type PageAnswer, seeOther } from "#service/edge/page-answer";
import { doneNotice } from "#service/operator/form-notice";
import {
  actorOf,
  type FormRequest,
  noticeIn,
  type OperatorForm,
  type OperatorPage,
  type PageContext,
  type PageRequest,
  sessionOf,
  withNotice,
} from "#service/operator/page-request";
import {
  type InvitePage,
  inviteTitle,
  inviteView,
  type OfferedAddress,
  ownField,
  peoplePath,
  peopleView,
  type PeoplePage,
} from "#service/operator/settings/people-views";
import { hasAccount } from "#service/operator/settings/own-account";
import { personView, type PersonPage } from "#service/operator/settings/person-view";
import {
  askedAccount,
  personActPages,
  personIn,
} from "#service/operator/settings/person-act-answers";
import { personRemoval } from "#service/operator/settings/person-removal";
import { settingsPage } from "#service/operator/settings/settings-page";
import { mistakesOf } from "#service/operator/settings/small-form";
import { endEvents } from "#service/store/audit/session-event";
import { type Role, roles } from "#service/store/people-store";
import { joinLink, type OfferedLink } from "#service/people/people";

/** `/settings/people`: everyone with an account. */
const listPage: OperatorPage = {
  role: "owner",
  path: /^\/settings\/people$/,
  answer: (context, request) =>
    shownList(context, request, { notice: doneNotice(noticeIn(request.query, notices)) }),
};

async function shownList(
  context: PageContext,
  { reader }: Pick<PageRequest, "reader">,
  said: Partial<PeoplePage>,
): Promise<PageAnswer> {
  const { people, oidc } = context.rooms;
  const page: PeoplePage = {
    people: await people.list(),
    provider: oidc === null ? null : oidc.host,
    reader,
    offered: null,
    notice: null,
    ...said,
  };
  const content = peopleView(page);
  return settingsPage(context, { reader }, { path: peoplePath, title: "People", content });
}

/** `/settings/people/new`: the form that invites another. */
const newPage: OperatorPage = {
  role: "owner",
  path: /^\/settings\/people\/new$/,
  answer: async (context, { query, reader }) => {
    const isOwn = query.has(ownField);
    // Whoever has an account already has it in their profile.
    if (isOwn && hasAccount(reader)) return seeOther("/settings");
    const isFirst = (await context.rooms.people.list()).length === 0;
    // Someone has to say who may do what, so the first one is an owner; an owner's own account is one as well.
    const role: Role = isFirst || isOwn ? "owner" : "reader";
    return shownForm(context, {
      reader,
      isOwn,
      mistakes: [],
      typed: { name: "", email: "", role },
    });
  },
};

function shownForm(context: PageContext, page: InvitePage): PageAnswer {
  const status = page.mistakes.length > 0 ? 400 : 200;
  const content = inviteView(page);
  return settingsPage(context, page, {
    path: peoplePath,
    title: inviteTitle(page.isOwn),
    content,
    status,
  });
}

/** `/settings/people/ID`: one of them, and what an owner can do. */
const onePage: OperatorPage = {
  role: "owner",
  path: /^\/settings\/people\/(?<id>\d{1,15})$/,
  answer: (context, request) =>
    shownOne(context, request, { notice: doneNotice(noticeIn(request.query, notices)) }),
};

async function shownOne(
  context: PageContext,
  { id, reader }: Pick<PageRequest, "id" | "reader">,
  said: Partial<PersonPage>,
): Promise<PageAnswer> {
  const person = await context.rooms.people.get(personIn(id));
  const { name, role, disabledAt } = person;
  const page: PersonPage = {
    person,
    passkeys: await context.rooms.passkeys.list(person),
    reader,
    offered: null,
    notice: null,
    mistakes: [],
    typed: { name, role, access: disabledAt === null ? "yes" : "no" },
    ...said,
  };
  const status = page.mistakes.length > 0 ? 400 : 200;
  const content = personView(page);
  return settingsPage(context, { reader }, { path: peoplePath, title: name, content, status });
}

const roleIn = (form: URLSearchParams): Role =>
  roles.find((one) => one === form.get("role")) ?? "reader";

const inviteForm: OperatorForm = {
  role: "owner",
  path: /^\/settings\/people$/,
  act: async (context, request) => {
    const { form, reader } = request;
    const name = form.get("name") ?? "";
    const email = form.get("email") ?? "";
    const role = roleIn(form);
    try {
      const link = await context.rooms.people.invite({ name, email, role });
      return await shownList(
        context,
        { reader },
        { offered: await offered(context, request, link) },
      );
    } catch (error) {
      const typed = { name, email, role };
      const isOwn = form.has(ownField);
      return shownForm(context, { reader, isOwn, typed, mistakes: mistakesOf(error) });
    }
  },
};

/** The link as the page shows it, once, and what became of the mail with it. */
async function offered(
  { rooms }: PageContext,
  { address, form, signal, reader }: FormRequest,
  { id, token }: OfferedLink,
): Promise<OfferedAddress> {
  const person = await rooms.people.get(id);
  const { email, joinedAt } = person;
  const link = joinLink(address, token);
  const isOwn = form.has(ownField);
  const by = isOwn ? "" : hasAccount(reader) ? actorOf(reader) : "An owner of the service";
  const mail = await rooms.linkMail.send(
    { email, token, by, isInvited: joinedAt === null },
    signal,
  );
  return { person, link, isOwn, mail };
}

const changeForm: OperatorForm = {
  role: "owner",
  path: /^\/settings\/people\/(?<id>\d{1,15})$/,
  act: async (context, request) => {
    const { id, form } = request;
    const typed = {
      name: form.get("name") ?? "",
      role: roleIn(form),
      access: form.get("access") === "no" ? "no" : "yes",
    } as const;
    try {
      const { name, role, access } = typed;
      await context.rooms.people.change(personIn(id), { name, role, isDisabled: access === "no" });
      return seeOther(withNotice(`${peoplePath}/${id}`, "saved"));
    } catch (error) {
      return shownOne(context, request, { typed, mistakes: mistakesOf(error) });
    }
  },
};

/** A new link in place of the password, and of the link before. */
const linkForm: OperatorForm = {
  role: "owner",
  path: /^\/settings\/people\/(?<id>\d{1,15})\/link$/,
  act: async (context, request) => {
    const link = await context.rooms.people.offerLink(personIn(request.id));
    return shownOne(context, request, { offered: await offered(context, request, link) });
  },
};

const factorForm: OperatorForm = {
  role: "owner",
  path: /^\/settings\/people\/(?<id>\d{1,15})\/factor\/remove$/,
  act: async ({ rooms }, { id }) => {
    await rooms.factors.remove(await rooms.people.get(personIn(id)));
    return seeOther(withNotice(`${peoplePath}/${id}`, "factor"));
  },
};

const passkeyForm: OperatorForm = {
  role: "owner",
  path: /^\/settings\/people\/(?<id>\d{1,15})\/passkeys\/(?<part>\d{1,15})\/remove$/,
  act: async ({ rooms }, { id, part }) => {
    await rooms.passkeys.remove(await rooms.people.get(personIn(id)), Number(part));
    return seeOther(withNotice(`${peoplePath}/${id}`, "passkey"));
  },
};

const endForm: OperatorForm = {
  role: "owner",
  path: /^\/settings\/people\/(?<id>\d{1,15})\/sessions\/end$/,
  act: async ({ rooms }, { id, reader }) => {
    const person = await rooms.people.get(personIn(id));
    await rooms.signIns.ends(
      (isNoted) => rooms.people.endSessions(person.id, sessionOf(reader), isNoted),
      endEvents,
    );
    return seeOther(withNotice(`${peoplePath}/${id}`, "ended"));
  },
};

/** `/settings/people/ID/delete`: asks once. */
const deletePage: OperatorPage = {
  role: "owner",
  path: /^\/settings\/people\/(?<id>\d{1,15})\/delete$/,
  answer: async (context, request) => {
    const asked = await askedAccount(context, request);
    const { person, reader } = asked;
    const content = personRemoval(asked);
    const title = `Delete ${person.name}`;
    return settingsPage(context, { reader }, { path: peoplePath, title, content });
  },
};

const deleteForm: OperatorForm = {
  role: "owner",
  path: /^\/settings\/people\/(?<id>\d{1,15})\/delete$/,
  act: async (context, request) => {
    try {
      await context.rooms.people.remove(personIn(request.id));
      return seeOther(withNotice(peoplePath, "deleted"));
    } catch (error) {
      const mistakes = mistakesOf(error);
      return shownOne(context, request, { mistakes });
    }
  },
};

const notices = {
  saved: "Saved. It counts from now on, also where the person is signed in.",
  factor: "The app for codes is removed. It signs the person in no more.",
  passkey: "The passkey is removed. It opens nothing from now on.",
  ended: "The person's sessions have ended.",
  deleted: "Deleted. The person's sessions have ended.",
} as const;

export const peoplePages: readonly OperatorPage[] = [
  listPage,
  newPage,
  onePage,
  deletePage,
  ...personActPages,
];
export const peopleForms: readonly OperatorForm[] = [
  inviteForm,
  changeForm,
  linkForm,
  factorForm,
  passkeyForm,
  endForm,
  deleteForm,
];
