import { randomUUID } from "node:crypto";
import { html } from "#web/page/html";
import * as limits from "#limits/pages-limits";
import { passwordResetFor } from "#limits/sign-in-limits";
import type { Accounts } from "#service/notify/accounts";
import { mailDocument } from "#service/notify/mail-document";
import type { PublicAddress } from "#service/edge/public-address";
import { mailDomain } from "#service/notify/mail-address";
import type { MailPost } from "#service/notify/mail-post";
import { joinLink } from "#service/people/people";

/** What became of the mail with a link. */
export type LinkMailing =
  | { readonly is: "not set"; readonly missing: "mail server" | "public address" }
  | { readonly is: "sent"; readonly to: string }
  | { readonly is: "failed"; readonly why: string };

interface LinkMailOptions {
  readonly post: Pick<MailPost, "send">;
  readonly accounts: Pick<Accounts, "smtp">;
  /** Without one no mail is sent: its link has to lead there. */
  readonly publicAddress: Pick<PublicAddress, "url">;
}

/** Mails people the links with which they choose a password. */
export class LinkMail {
  readonly #options: LinkMailOptions;

  constructor(options: LinkMailOptions) {
    this.#options = options;
  }

  /** Whether mails can be sent, and links lead somewhere. */
  get isSet(): boolean {
    return this.#options.accounts.smtp !== null && this.#options.publicAddress.url !== null;
  }

  /** To someone who is invited, or for whom an owner made another link; `by` is that person, empty if they are the same. */
  send(to: InvitedReceiver, signal: AbortSignal): Promise<LinkMailing> {
    const { by, isInvited } = to;
    return this.#mail(to, signal, (host) => ({
      title: "Choose your password for Picket",
      sentence: `${by === "" ? `You have an account at ${host}.` : isInvited ? `${by} invites you to Picket at ${host}.` : `${by} sends you a link to choose a password at ${host}.`} The link works once, for ${limits.passwordLinkFor / 3_600_000} hours.`,
      footer: "If you do not expect this mail, ignore it.",
    }));
  }

  /** To someone who has forgotten the password. */
  sendReset(to: LinkReceiver, signal: AbortSignal): Promise<LinkMailing> {
    return this.#mail(to, signal, (host) => ({
      title: "Choose a new password for Picket",
      sentence: `Someone asked for a new password for your account at ${host}. The link works once, for ${passwordResetFor / 60_000} minutes.`,
      footer: "If it was not you, ignore this mail: your password stays as it is.",
    }));
  }

  async #mail(
    { email, token }: LinkReceiver,
    signal: AbortSignal,
    wordsAt: (host: string) => LinkWords,
  ): Promise<LinkMailing> {
    const { post, accounts, publicAddress } = this.#options;
    const { url: publicUrl } = publicAddress;
    if (accounts.smtp === null) return { is: "not set", missing: "mail server" };
    if (publicUrl === null) return { is: "not set", missing: "public address" };
    const url = joinLink(publicUrl.replace(/\/+$/, ""), token);
    const { title, sentence, footer } = wordsAt(new URL(publicUrl).host);
    const mail = {
      to: email,
      subject: title,
      text: `${sentence}\n\n${url}\n\n${footer}\n`,
      html: mailDocument({
        language: "en",
        title,
        tone: "quiet",
        content: html`<p>${sentence}</p>
          <p class="links"><a href="${url}">Choose a password</a></p>`,
        footer: html`<p>${footer}</p>`,
      }),
      messageId: `<link-${randomUUID()}@${mailDomain(accounts.smtp.from)}>`,
      thread: null,
      leaveUrl: null,
    };
    const outcome = await post.send(mail, signal);
    if (outcome.is === "delivered") return { is: "sent", to: email };
    return { is: "failed", why: "trouble" in outcome ? outcome.trouble.message : "no answer came" };
  }
}

interface LinkReceiver {
  readonly email: string;
  /** What the link carries. */
  readonly token: string;
}

interface InvitedReceiver extends LinkReceiver {
  /** Who made the link; empty if it is for their own account. */
  readonly by: string;
  /** Whether the receiver has not signed in yet. */
  readonly isInvited: boolean;
}

interface LinkWords {
  readonly title: string;
  readonly sentence: string;
  readonly footer: string;
}
