import { expect, test } from "vitest";
import { noAccounts } from "#service/notify/accounts";
import { smtpKnowsNoSuchUser, startMailServer } from "../../../servers/mail-servers.ts";
import { operatorScene } from "../../../support/operator-scene.ts";
import { byKey, type SignedIn } from "../../../support/signed-in.ts";
import { smtpOnThisMachine } from "../../../support/smtp-account.ts";

/** What the answer to an invitation says, in the order in which it is read. */
const said = (page: string): string => {
  const [, card = ""] =
    /<div class="card shown-once"[^>]*>(.*?class="help".*?)<\/p>/s.exec(page) ?? [];
  return card
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll(" .", ".")
    .trim();
};

async function ownerWith(port: number | null, address: string): Promise<SignedIn> {
  const smtp = port === null ? null : smtpOnThisMachine(port, "picket@example.com");
  const accounts = { ...noAccounts, smtp };
  const scene = await operatorScene({ pages: "signed in", days: 0, sends: "really", accounts });
  const owner = await byKey(scene, "write");
  if (address !== "") await owner.send("/settings/service", { address, anyway: "yes" });
  return owner;
}

const invitation = async (owner: SignedIn): Promise<string> =>
  said(
    await (
      await owner.send("/settings/people", {
        name: "Ann",
        email: "ann@example.com",
        role: "reader",
      })
    ).text(),
  );

const link =
  "It works once, until Wed 25 Nov, 12:00 UTC. Copy it before you leave this page: the service keeps no copy. " +
  "“Create a new link” on the page of Ann makes another one, and ends this one.";

test("an invitation that was mailed says to whom, and shows the same link", async () => {
  await using mails = await startMailServer();
  const owner = await ownerWith(mails.port, "https://picket.example.com");
  expect(await invitation(owner)).toBe(
    `Ann is invited. The link to choose a password was mailed to ann@example.com: you need to do nothing more. The same link, if the mail does not arrive Copy ${link}`,
  );
  await mails.had(1);
});

test.each([
  ["mail server", "no mail server ( Settings → Mail )", "https://picket.example.com"],
  ["public address", "no public address ( Settings → Service )", ""],
])(
  "without a %s an invitation says that, and who sends the link",
  async (what, missing, address) => {
    const owner = await ownerWith(what === "mail server" ? null : 9, address);
    expect(await invitation(owner)).toBe(
      `Ann is invited. No mail was sent to ann@example.com, because the service has ${missing}. Send Ann the link yourself. The link Copy ${link}`,
    );
  },
);

test("an invitation that a mail server refuses says why", async () => {
  await using mails = await startMailServer(smtpKnowsNoSuchUser);
  const owner = await ownerWith(mails.port, "https://picket.example.com");
  expect(await invitation(owner)).toMatch(
    /^Ann is invited\. No mail was sent to ann@example\.com: .*No such user.*\. Send Ann the link yourself\. The link Copy /,
  );
});
