import { counted } from "#web/page/format";
import { type Removal, noUndo, removalView } from "#service/operator/deleting/removal-view";
import type { KnownReader } from "#service/operator/page-request";
import { peoplePath } from "#service/operator/settings/people-views";
import type { AccountRow, PageSessionRow } from "#service/store/people-store";
import type { Html } from "#web/page/html";

/** An account about which an owner is asked. */
export interface AskedAccount {
  readonly person: AccountRow;
  readonly sessions: readonly PageSessionRow[];
  readonly reader: KnownReader;
}

/** Asks once before a password is reset, or another link takes the place of the one before. */
export function linkQuestion(asked: AskedAccount): Html {
  const { name, joinedAt } = asked.person;
  if (joinedAt === null)
    return question(asked, {
      path: "link",
      title: `Create a new link for ${name}?`,
      effects: [
        "The link before ends at once.",
        `You get a link with which ${name} chooses a password.`,
      ],
      button: "Create the link",
    });
  return question(asked, {
    path: "link",
    title: `Reset the password of ${name}?`,
    effects: [
      "The password ends at once.",
      endOfSessions(asked.sessions.length),
      `You get a link with which ${name} chooses another password.`,
      "A second factor stays on.",
    ],
    button: "Reset the password",
  });
}

export const factorQuestion = (asked: AskedAccount): Html =>
  question(asked, {
    path: "factor/remove",
    title: `Remove the app for codes of ${asked.person.name}?`,
    effects: ["Codes of the app count no more.", `${makeSure(asked)} who asks you.`],
    button: "Remove the app for codes",
  });

export const passkeyQuestion = (asked: AskedAccount, id: number, passkey: string): Html =>
  question(asked, {
    path: `passkeys/${id}/remove`,
    title: `Remove the passkey ${passkey} of ${asked.person.name}?`,
    effects: ["The passkey opens nothing from now on.", `${makeSure(asked)} who asks you.`],
    button: "Remove the passkey",
  });

export const sessionsQuestion = (asked: AskedAccount): Html =>
  question(asked, {
    path: "sessions/end",
    title: `End all sessions of ${asked.person.name}?`,
    effects: isOwn(asked)
      ? ["This session stays. You have to sign in again everywhere else."]
      : [
          endOfSessions(asked.sessions.length),
          `${asked.person.name} has to sign in again everywhere.`,
        ],
    button: "End all sessions",
  });

const makeSure = ({ person }: AskedAccount): string => `Make sure that it is ${person.name}`;

const isOwn = ({ person, reader }: AskedAccount): boolean =>
  reader.kind === "signed in" && reader.who === `account ${person.id}`;

function endOfSessions(count: number): string {
  if (count === 0) return "No session is open.";
  return `${counted(count, "session")} ${count === 1 ? "ends" : "end"} at once.`;
}

interface Question extends Pick<Removal, "title" | "effects" | "button"> {
  readonly path: string;
}

const question = ({ person, reader }: AskedAccount, { path, ...asked }: Question): Html =>
  removalView({
    reader,
    back: { path: `${peoplePath}/${person.id}`, words: person.name },
    facts: [
      ["E-mail address", person.email],
      ["Role", person.role],
    ],
    undo: noUndo,
    action: `${peoplePath}/${person.id}/${path}`,
    ...asked,
  });
