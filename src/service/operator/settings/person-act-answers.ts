import * as limits from "#limits/pages-limits";
import { Refusal } from "#service/edge/call-refusal";
import type { OperatorPage, PageContext, PageRequest } from "#service/operator/page-request";
import {
  type AskedAccount,
  factorQuestion,
  linkQuestion,
  passkeyQuestion,
  sessionsQuestion,
} from "#service/operator/settings/person-acts";
import { peoplePath } from "#service/operator/settings/people-views";
import { settingsPage } from "#service/operator/settings/settings-page";
import { integerOf, type PersonId, personId } from "#service/store/ids";
import type { Html } from "#web/page/html";

export function personIn(text: string): PersonId {
  const id = integerOf(text);
  if (id === null) throw new Refusal("not_found", "there is no such person");
  return personId(id);
}

/** An account with its open sessions, for a question about it. */
export async function askedAccount(
  { rooms }: PageContext,
  { id, reader }: Pick<PageRequest, "id" | "reader">,
): Promise<AskedAccount> {
  const person = await rooms.people.get(personIn(id));
  const { sessions } = rooms.store.people;
  const who = `account ${person.id}`;
  const open = await sessions.list(who, rooms.clock.wall(), limits.sessionsListed);
  return { person, sessions: open, reader };
}

/** A page that asks once before an owner takes something from an account. */
const askPage = (
  path: RegExp,
  view: (asked: AskedAccount, request: PageRequest, context: PageContext) => Promise<Html> | Html,
): OperatorPage => ({
  role: "owner",
  path,
  answer: async (context, request) => {
    const asked = await askedAccount(context, request);
    const content = await view(asked, request, context);
    const { reader } = request;
    return settingsPage(
      context,
      { reader },
      { path: peoplePath, title: asked.person.name, content },
    );
  },
});

/** `/settings/people/ID/link`, `…/factor/remove`, `…/passkeys/ID/remove`, `…/sessions/end`. */
export const personActPages: readonly OperatorPage[] = [
  askPage(/^\/settings\/people\/(?<id>\d{1,15})\/link$/, linkQuestion),
  askPage(/^\/settings\/people\/(?<id>\d{1,15})\/factor\/remove$/, factorQuestion),
  askPage(
    /^\/settings\/people\/(?<id>\d{1,15})\/passkeys\/(?<part>\d{1,15})\/remove$/,
    async (asked, { part }, { rooms }) => {
      const all = await rooms.passkeys.list(asked.person);
      const passkey = all.find(({ id }) => id === Number(part));
      if (passkey === undefined) throw new Refusal("not_found", "there is no such passkey");
      return passkeyQuestion(asked, Number(part), passkey.name);
    },
  ),
  askPage(/^\/settings\/people\/(?<id>\d{1,15})\/sessions\/end$/, sessionsQuestion),
];
