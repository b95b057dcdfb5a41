/** What pages and mails say to readers who want a page's news, in one language. */
export interface NewsTexts {
  /** The link on the page, and the form's title. */
  readonly subscribe: string;
  readonly about: string;
  readonly address: string;
  readonly choice: string;
  readonly send: string;
  readonly notAnAddress: string;
  readonly tooManyAsks: string;
  readonly full: string;
  readonly asked: string;
  readonly askedAbout: string;
  readonly confirmTitle: string;
  readonly confirm: string;
  readonly confirmed: string;
  readonly confirmedAbout: string;
  readonly linkOver: string;
  readonly manageTitle: string;
  readonly save: string;
  readonly saved: string;
  readonly leave: string;
  readonly leaveQuestion: string;
  readonly left: string;
  readonly leftAbout: string;
  /** The link of who left to the form. */
  readonly again: string;
  /* Mails. */
  readonly confirmMail: string;
  /** How long its link works. */
  readonly confirmWithin: string;
  readonly knownMail: string;
  /** Before the title of planned work that is over, and what its last update says at first. */
  readonly finished: string;
  readonly finishedMessage: string;
  /** Before the title of planned work that begins soon, that begins, and that has other times than were announced. */
  readonly reminder: string;
  readonly begun: string;
  readonly changed: string;
  /** Before the title of planned work of which something else is new, or of which one date does not take place. */
  readonly updated: string;
  readonly dateCancelled: string;
  /** Before a time, and how long it lasted. */
  readonly when: string;
  readonly duration: string;
  /** Before what it was by what was said before, and a colon. */
  readonly before: string;
  /** Before the new times of planned work, and a colon. */
  readonly newTimes: string;
  /** Before the time of planned work under way that was extended, and a colon. */
  readonly endsLater: string;
  /** Before the title of planned work that was deleted. */
  readonly cancelled: string;
  readonly cancelledMail: string;
  readonly openPage: string;
  readonly why: string;
  readonly manage: string;
  /* Signing in by mail. */
  readonly entryAbout: string;
  readonly sendLink: string;
  readonly entryAsked: string;
  readonly entryMail: string;
  readonly entryTitle: string;
  readonly enter: string;
}
