import type { FormFields } from "#check/form-field";
import type { Mistake } from "#check/findings";
import * as limits from "#limits/alerts-limits";
import { parseHost } from "#network/host-port";
import { isThisMachine } from "#network/listen-address";
import type { GivenServer } from "#service/edge/mail-server";
import { refuseViolations } from "#service/edge/call-refusal";
import type { SmtpAccount } from "#service/notify/accounts";
import { deniedWords } from "#service/notify/denied-address";
import { addressPattern } from "#service/notify/mail-address";
import { savedMark } from "#service/operator/forms/form-rows";
import { typedFor, writtenIn } from "#service/operator/forms/form-reading";

/** The form of the mail server; `test_to` is for its test alone. */
export const mailFields: FormFields = {
  host: {
    group: "server",
    label: "Host",
    help: "",
    control: { is: "text", width: "name", example: "smtp.example.com" },
  },
  security: {
    group: "server",
    label: "Security",
    help: "None: only in your own network, without a user.",
    control: {
      is: "choice",
      choices: [
        ["starttls", "STARTTLS (usual)"],
        ["implicit", "TLS from the start"],
        ["if-offered", "None"],
      ],
    },
  },
  port: {
    group: "server",
    label: "Port",
    help: "Empty: 587, with TLS from the start 465, with None 25.",
    control: { is: "text", width: "figure" },
  },
  user: {
    group: "server",
    label: "User",
    help: "Empty: the server asks for none.",
    control: { is: "text", width: "name" },
  },
  password: {
    group: "server",
    label: "Password",
    help: "Some providers want an app password or an API key here.",
    control: { is: "password" },
  },
  sender: {
    group: "server",
    label: "Sender",
    help: "An address that the server may send for, with a name before it if you like.",
    control: { is: "text", width: "name", example: "Picket <picket@example.com>" },
  },
  test_to: {
    group: "test",
    label: "To",
    help: "",
    control: { is: "text", width: "line", example: "you@example.com" },
  },
};

/** What the form shows of the server that is kept, and where its test goes. */
export const typedOf = (account: SmtpAccount | null, testTo: string): URLSearchParams =>
  typedFor(mailFields, {
    ...(account === null
      ? {}
      : {
          host: account.host,
          security: account.tls,
          port: account.port === portOf[account.tls] ? "" : account.port,
          user: account.login?.user,
          password: account.login?.password,
          sender: account.from,
        }),
    test_to: testTo,
  });

/** What the form says, or a refusal of each field that is wrong. `saved` is the server that is kept. */
export function givenServer(typed: URLSearchParams, saved: SmtpAccount | null): GivenServer {
  const text = (name: string): string => (typed.get(name) ?? "").trim();
  const host = hostIn(text("host"));
  const tls = securityOf(text("security"));
  const port = text("port") === "" ? portOf[tls] : Number(text("port"));
  const from = text("sender");
  const login = loginIn(typed, host, saved);
  refuseViolations([
    ...hostFaults(host),
    ...(["", ...Object.keys(portOf)].includes(text("security")) ? [] : [wrongSecurity]),
    ...(login.user !== "" && tls === "if-offered" && !isThisMachine(host) ? [noneWithUser] : []),
    ...(Number.isInteger(port) && port >= 1 && port <= 65_535 ? [] : [wrongPort]),
    ...loginFaults(login, saved),
    ...(isSender(from) ? [] : [{ field: "sender", message: "must be like picket@example.com" }]),
  ]);
  const { user, password } = login;
  return { host, port, tls, login: user === "" ? null : { user, password }, from };
}

const portOf = { starttls: 587, implicit: 465, "if-offered": 25 } as const;

const securityOf = (text: string): SmtpAccount["tls"] =>
  text === "implicit" || text === "if-offered" ? text : "starttls";

/** As it is dialled; what is none stays as it was typed. */
function hostIn(text: string): string {
  const host = parseHost(text);
  return host.ok ? host.value : text;
}

function hostFaults(host: string): readonly Mistake[] {
  const read = parseHost(host);
  if (host === "") return [{ field: "host", message: "must be like smtp.example.com" }];
  if (!read.ok)
    return [
      {
        field: "host",
        message:
          "must be a name or an address without a scheme and a port, for example smtp.example.com",
      },
    ];
  const denied = deniedWords([host]);
  return denied === null
    ? []
    : [{ field: "host", message: `is ${denied}, which gets no message: correct it` }];
}

const wrongSecurity: Mistake = { field: "security", message: "must be one of the list" };
const noneWithUser: Mistake = {
  field: "security",
  message: "must be STARTTLS or TLS for a user, so that the password is encrypted on its way",
};
const wrongPort: Mistake = { field: "port", message: "must be a whole number from 1 to 65535" };

interface TypedLogin {
  readonly user: string;
  readonly password: string;
  /** Whether the saved password was left alone, and another host is typed: it goes to no other. */
  readonly isOfOther: boolean;
}

function loginIn(typed: URLSearchParams, host: string, saved: SmtpAccount | null): TypedLogin {
  const isSame = saved?.host === host;
  const kept = isSame ? { password: saved.login?.password } : {};
  const { password } = writtenIn(mailFields, typed, kept);
  return {
    user: (typed.get("user") ?? "").trim(),
    password: typeof password === "string" ? password : "",
    isOfOther: !isSame && typed.has(savedMark("password")),
  };
}

function loginFaults(
  { user, password, isOfOther }: TypedLogin,
  saved: SmtpAccount | null,
): readonly Mistake[] {
  const tooLong = [
    ...lengthFault("user", user, limits.mailUserCharsMax),
    ...lengthFault("password", password, limits.mailPasswordCharsMax),
  ];
  if (tooLong.length > 0) return tooLong;
  if (user === "" && password !== "")
    return [{ field: "user", message: "must be given with a password" }];
  if (user !== "" && password === "" && isOfOther)
    return [
      {
        field: "password",
        message: `must be typed again for another host: the saved one goes to ${saved?.host ?? "the former"} alone`,
      },
    ];
  if (user !== "" && password === "")
    return [{ field: "password", message: "must not be empty: give the one of this user" }];
  return [];
}

const lengthFault = (field: string, text: string, most: number): readonly Mistake[] =>
  text.length <= most && !/\p{Cc}/u.test(text)
    ? []
    : [{ field, message: `must have at most ${most} characters, and no line break` }];

/** An address, or a name and an address in angle brackets. */
function isSender(text: string): boolean {
  const [, name = "", address = text] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text) ?? [];
  return name.length <= limits.mailSenderCharsMax && addressPattern.test(address);
}
