import { html, type Html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { lineAnswer, type PageAnswer } from "#service/edge/page-answer";
import { framed, type PageContext, type PageRequest } from "#service/operator/page-request";
import { roleWords } from "#service/operator/roles";
import { type Role, roles } from "#service/store/people-store";

/** What a person is shown who may not do something: which role it needs, which one they have, and who can give it. */
export async function notAllowed(
  { rooms }: PageContext,
  { reader }: Pick<PageRequest, "reader">,
  needed: Role,
): Promise<PageAnswer> {
  if (reader.kind === "local") return lineAnswer(403, "You may not do this.");
  const accounts = await rooms.store.people.accounts.list();
  const owners = accounts.filter((one) => one.role === "owner" && one.disabledAt === null);
  const names = owners.map(({ name }) => name).slice(0, limits.namesShown);
  return framed(
    { reader },
    {
      title: "You may not do this · Picket",
      section: null,
      document: null,
      at: rooms.clock.wall(),
      content: notAllowedView({ name: reader.name, role: reader.role, needed, owners: names }),
    },
    403,
  );
}

interface Denial {
  readonly name: string;
  readonly role: Role;
  readonly needed: Role;
  readonly owners: readonly string[];
}

const notAllowedView = ({ name, role, needed, owners }: Denial): Html =>
  html`<h1 class="page">You may not do this</h1>
    <p class="lede-line">
      It needs the role
      <strong>${needed}</strong>${needed === roles.at(-1) ? null : " or a higher one"}. You are
      signed in as ${name}, with the role <strong>${role}</strong>: you may ${roleWords[role]}.
    </p>
    <p>${whoCanGiveIt(owners)}</p>
    <p><a class="button" href="/">Back to the overview</a></p>`;

const whoCanGiveIt = (owners: readonly string[]): string =>
  owners.length === 0
    ? "Whoever runs this service can give you the role: by its settings, or with picket service person."
    : `An owner can give you the role: ${owners.join(", ")}.`;
