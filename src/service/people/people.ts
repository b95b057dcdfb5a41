import type { Clock } from "#base/clock";
import { after, type Millis } from "#base/units";
import { isSeen, lineFault, nameAsRead } from "#base/text";
import type { Mistake } from "#check/findings";
import * as checkLimits from "#limits/check-limits";
import * as limits from "#limits/pages-limits";
import { passwordResetFor } from "#limits/sign-in-limits";
import { isTimeZone } from "#base/time-zone";
import { addressPattern } from "#service/notify/mail-address";
import { Refusal, refuseViolations, violation } from "#service/edge/call-refusal";
import { hashCredential, newCredential } from "#service/edge/credential";
import { isPassword, keptPassword, passwordFault } from "#service/edge/password";
import { Tries } from "#service/edge/tries";
import type { PersonId } from "#service/store/ids";
import type {
  EndedOnes,
  AccountOutcome,
  AccountRow,
  Accounts,
  PeopleStore,
  Role,
} from "#service/store/people-store";
import type { Store } from "#service/store/store";

/** Who is to have an account. */
interface WantedPerson {
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/** A link with which a person chooses a password; it is shown once. */
export interface OfferedLink {
  readonly id: PersonId;
  /** What the link carries. */
  readonly token: string;
}

/** The people with an account of this service: who they are, what they may do, and their passwords. */
export class People {
  readonly #accounts: Accounts;
  readonly #sessions: PeopleStore["sessions"];
  readonly #clock: Clock;
  readonly #tries: Tries;

  constructor({ people }: Store, clock: Clock) {
    this.#accounts = people.accounts;
    this.#sessions = people.sessions;
    this.#clock = clock;
    const perAddress = limits.signInTriesPerAddressMax;
    this.#tries = new Tries(clock, { perAddress, together: perAddress });
  }

  list(): Promise<readonly AccountRow[]> {
    return this.#accounts.list();
  }

  async get(id: PersonId): Promise<AccountRow> {
    const account = await this.#accounts.get(id);
    if (account === null) throw noPerson();
    return account;
  }

  async withEmail(email: string): Promise<AccountRow> {
    const account = await this.#accounts.ofEmail(email.trim().toLowerCase());
    if (account === null) throw noPerson();
    return account;
  }

  /** Makes an account, which opens nothing until its person has chosen a password. */
  async invite(wanted: WantedPerson): Promise<OfferedLink> {
    const email = wanted.email.trim().toLowerCase();
    const name = wanted.name.trim();
    refuseViolations([...personFaults(name, email), ...emailFaults(email)]);
    if ((await this.#accounts.list()).length >= limits.accountsMax)
      throw new Refusal(
        "resource_exhausted",
        `there are ${limits.accountsMax} people already: delete one who has left`,
      );
    const { token, link } = this.#newLink();
    const at = this.#clock.wall();
    const id = await this.#accounts.add({ name, email, role: wanted.role, at, ...link });
    if (id === "email taken") throw belongsToAnother("email");
    if (id === "name taken") throw belongsToAnother("name");
    return { id, token };
  }

  /** Takes effect at once, also for whoever is signed in. */
  async change(
    id: PersonId,
    changed: { readonly name: string; readonly role: Role; readonly isDisabled: boolean },
  ): Promise<void> {
    const name = changed.name.trim();
    const { name: before, email } = await this.get(id);
    // Who has a name that is refused by now keeps it, and is disabled all the same.
    if (nameAsRead(name) !== nameAsRead(before)) refuseViolations(personFaults(name, email));
    const at = this.#clock.wall();
    refuseOutcome(await this.#accounts.change(id, { ...changed, name, at }));
    if (changed.isDisabled) await this.endSessions(id, "");
  }

  /** What the person is called from now on: what they did before keeps the name of then. */
  async rename(id: PersonId, typed: string): Promise<void> {
    const name = typed.trim();
    refuseViolations(personFaults(name, (await this.get(id)).email));
    refuseOutcome(await this.#accounts.rename(id, name));
  }

  /** Empty: that of the browser. */
  async setTimeZone(id: PersonId, timeZone: string): Promise<void> {
    refuseUnknownZone(timeZone);
    if (!(await this.#accounts.setTimeZone(id, timeZone))) throw noPerson();
  }

  async remove(id: PersonId): Promise<void> {
    refuseOutcome(await this.#accounts.remove(id));
    await this.endSessions(id, "");
  }

  /** Takes the password away and ends the person's sessions: the link is now the only way in. */
  async offerLink(id: PersonId): Promise<OfferedLink> {
    const { token, link } = this.#newLink();
    if (!(await this.#accounts.offerLink(id, link))) throw noPerson();
    await this.endSessions(id, "");
    return { id, token };
  }

  /** What the link carries of someone who has forgotten the password; null if they may have none. */
  async offerReset(id: PersonId): Promise<string | null> {
    const { token, link } = this.#newLink(passwordResetFor);
    return (await this.#accounts.offerReset(id, link)) ? token : null;
  }

  /** Whose link this is, while it works. */
  ofLink(token: string): Promise<AccountRow | null> {
    return this.#accounts.ofLink(hashCredential(token), this.#clock.wall());
  }

  /**
   * Uses the link up, and ends the person's sessions. Null if it works no more; refuses a password that is no good one.
   */
  async join(token: string, password: string): Promise<AccountRow | null> {
    refusePassword(password);
    const kept = await keptPassword(password);
    const id = await this.#accounts.takeLink(hashCredential(token), kept, this.#clock.wall());
    if (id === null) return null;
    await this.endSessions(id, "");
    return this.#accounts.get(id);
  }

  /** Ends the person's other sessions; whoever changes it signs in anew by what is given back. */
  async changePassword(account: AccountRow, current: string, wanted: string): Promise<AccountRow> {
    await this.refuseWrongPassword(account, current);
    refusePassword(wanted);
    const kept = await keptPassword(wanted);
    if (!(await this.#accounts.setPassword(account.id, account.password, kept)))
      throw new Refusal("aborted", "the password was changed elsewhere meanwhile: sign in again");
    await this.endSessions(account.id, "");
    return { ...account, password: kept };
  }

  /** Whoever sits at an open session proves that they are its person. Each account has a few tries a minute. */
  async refuseWrongPassword({ id, password }: AccountRow, typed: string): Promise<void> {
    if (!this.#tries.take("", String(id)))
      throw violation({ field: "current", message: "was tried too often: wait a minute" });
    if (!(await isPassword(typed, password)))
      throw violation({ field: "current", message: "is not your password" });
  }

  /** Null if there is no such person, or they may not sign in, or this is not the password: each takes as long. */
  async withPassword(email: string, password: string): Promise<AccountRow | null> {
    const account = await this.#accounts.ofEmail(email.trim().toLowerCase());
    const kept = account === null || account.password === "" ? noOnesPassword : account.password;
    const isRight = await isPassword(password, kept);
    if (account === null || account.password === "" || account.disabledAt !== null) return null;
    return isRight ? account : null;
  }

  /** Its entry of the audit log is written with it only if `isNoted`. */
  endSessions(id: PersonId, except: string, isNoted = true): Promise<EndedOnes> {
    return this.#sessions.endAll(whoOf(id), except, isNoted);
  }

  #newLink(length: Millis = limits.passwordLinkFor) {
    const token = newCredential("link");
    const until = after(this.#clock.wall(), length);
    return { token, link: { hash: hashCredential(token), until } };
  }
}

/** Where a person chooses a password. */
export const joinPath = "/join";

/** The link with which a person chooses a password, at the service's address without a slash at its end. */
export const joinLink = (address: string, token: string): string =>
  `${address}${joinPath}?${new URLSearchParams({ link: token }).toString()}`;

/** An empty one is that of the browser. */
export function refuseUnknownZone(timeZone: string): void {
  if (timeZone !== "" && !isTimeZone(timeZone))
    throw violation({
      field: "time_zone",
      message: "must be an IANA name, for example Europe/Berlin",
    });
}

/** How an account stands, in a word. */
export function stateOf({ disabledAt, joinedAt }: AccountRow): "active" | "disabled" | "invited" {
  if (disabledAt !== null) return "disabled";
  return joinedAt === null ? "invited" : "active";
}

/** By which sessions of an account are known. */
export const whoOf = (id: PersonId): string => `account ${id}`;

/** Nothing is this password: its check takes as long as that of one that is kept. */
const noOnesPassword = `scrypt.${"A".repeat(22)}.${"A".repeat(43)}`;

const noPerson = (): Refusal => new Refusal("not_found", "there is no such person");

const belongsToAnother = (field: "email" | "name"): Refusal =>
  violation({
    field,
    message: `already belongs to another person${field === "name" ? " or an API key" : ""}`,
  });

function refuseOutcome(outcome: AccountOutcome): void {
  switch (outcome) {
    case "done":
      return;
    case "missing":
      throw noPerson();
    case "name taken":
      throw belongsToAnother("name");
    case "last owner":
      throw new Refusal(
        "failed_precondition",
        "this is the last owner with an account: make another person an owner first",
      );
  }
}

export function refusePassword(password: string): void {
  const fault = passwordFault(password);
  if (fault !== null) refuseViolations([{ field: "password", message: fault }]);
}

export function nameFaults(name: string): readonly Mistake[] {
  const max = checkLimits.nameCharsMax;
  if (name === "" || name.length > max)
    return [{ field: "name", message: `must have 1 to ${max} characters` }];
  if (!isSeen(name))
    return [{ field: "name", message: "has only characters that no one sees: add a letter" }];
  const fault = lineFault(name);
  return fault === null ? [] : [{ field: "name", message: fault }];
}

/** The log of changes has the name alone of who did something, so a person has none that means someone else. */
function personFaults(name: string, email: string): readonly Mistake[] {
  const faults = nameFaults(name);
  if (faults.length > 0) return faults;
  if (namesOfNone.has(nameAsRead(name)) || reservedLike.test(nameAsRead(name)))
    return [{ field: "name", message: "means no person here: choose another" }];
  // People of an identity provider have their address as their name.
  return addressPattern.test(name) && name.toLowerCase() !== email
    ? [{ field: "name", message: "is an e-mail address, but not the person's own" }]
    : [];
}

/** Whoever is not a person, as pages and the log of changes call them. */
const namesOfNone: ReadonlySet<string> = new Set(
  ["password", "the service", "a person on this machine", "someone", "an unknown name"].map(
    nameAsRead,
  ),
);

/** How pages and the log of changes call a key, files, a command, and a link of whichever channel. */
const reservedLike = /^(API KEY |THE KEY |KEY \d|FILES OF |COMMAND |A LINK IN A MESSAGE)/;

const emailFaults = (email: string) =>
  addressPattern.test(email) && email.length <= limits.personNameCharsMax
    ? []
    : [{ field: "email", message: "must be like ann@example.com" }];
