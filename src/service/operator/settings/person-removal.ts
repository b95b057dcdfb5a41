import { counted } from "#web/page/format";
import { html, type Html } from "#web/page/html";
import { momentOf } from "#web/page/moment";
import { noUndo, removalView } from "#service/operator/deleting/removal-view";
import { roleWords } from "#service/operator/roles";
import type { AskedAccount } from "#service/operator/settings/person-acts";
import { peoplePath } from "#service/operator/settings/people-views";
import { hasFactor } from "#service/people/second-factors";
import { stateOf } from "#service/people/people";
import { capital } from "#base/text";

/** Asks once before an account is deleted. */
export function personRemoval({ person, sessions, reader }: AskedAccount): Html {
  const path = `${peoplePath}/${person.id}`;
  const isOwn = reader.kind === "signed in" && reader.who === `account ${person.id}`;
  return removalView({
    reader,
    back: { path, words: person.name },
    title: isOwn ? "Delete your own account?" : `Delete the account of ${person.name}?`,
    facts: [
      ["E-mail address", person.email],
      ["Role", html`${capital(person.role)}: may ${roleWords[person.role]}`],
      ["State", stateOf(person)],
      ["Second factor", hasFactor(person) ? "on" : "off"],
      ["Last seen", person.seenAt === null ? "never" : momentOf(person.seenAt)],
    ],
    effects: [
      sessions.length === 0
        ? "No one signs in with it any more."
        : `${counted(sessions.length, "session")} ${sessions.length === 1 ? "ends" : "end"} at once, and no one signs in with it any more.`,
      "Its password, passkeys and recovery codes go.",
      `What ${isOwn ? "you" : person.name} did stays in the audit log under ${isOwn ? "your" : "this"} name.`,
      "To shut out someone who may come back, change “May sign in” to no instead.",
    ],
    undo: noUndo,
    action: `${path}/delete`,
    button: "Delete the account",
  });
}
