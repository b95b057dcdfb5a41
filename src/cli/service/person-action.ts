import type { OptionValues } from "#cli/grammar/option";
import type { ServiceOptions } from "#cli/service/service-grammar";
import { UsageError } from "#cli/edge/usage-error";
import { showText } from "#base/text";
import { passwordLinkFor } from "#limits/pages-limits";
import { joinLink, stateOf, type People } from "#service/people/people";
import { type Role, roles } from "#service/store/people-store";

/** What `picket service person` does, by its words; gives what is printed. `address` is the service's, as people open it. */
export function personAction(
  [verb, email, ...more]: readonly string[],
  { name, role }: PersonValues,
  address: string,
): PersonAction {
  if (more.length > 0) throw new UsageError(`person ${verb} takes no ${more[0]}`);
  if (verb === "list" && email === undefined) return listed;
  if (verb !== "add" && verb !== "reset") throw new UsageError("person takes add, list or reset");
  if (email === undefined) throw new UsageError(`person ${verb} needs the e-mail address`);
  if (verb === "reset")
    return async (people) => {
      const { id } = await people.withEmail(email);
      const { token } = await people.offerLink(id);
      return `The password is removed. ${linkText(address, token)}`;
    };
  const wanted = { email, name: name ?? email, role: roleIn(role ?? "owner") };
  return async (people) => linkText(address, (await people.invite(wanted)).token);
}

type PersonValues = Pick<OptionValues<ServiceOptions>, "name" | "role">;

type PersonAction = (people: People) => Promise<string>;

function roleIn(text: string): Role {
  const role = roles.find((one) => one === text);
  if (role === undefined) throw new UsageError(`--role takes ${roles.join(", ")}, not ${text}`);
  return role;
}

const linkText = (address: string, token: string): string =>
  `With this link the person chooses a password, once, within ${passwordLinkFor / 3_600_000} hours:

  ${joinLink(address, token)}
`;

/** `owner      active    ann@example.com  Ann`. */
const listed: PersonAction = async (people) =>
  (await people.list())
    .map(
      (one) =>
        `${one.role.padEnd(9)}  ${stateOf(one).padEnd(8)}  ${one.email}  ${showText(one.name)}\n`,
    )
    .join("");
