/** One mail to one recipient, before it is put into MIME. */
export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With its angle brackets. */
  readonly messageId: string;
  /** The incident's first mail, so that a thread forms; null for the first one. */
  readonly thread: string | null;
  /** Where one click ends the subscription (RFC 8058); null for what needs no subscription. */
  readonly leaveUrl: string | null;
}
