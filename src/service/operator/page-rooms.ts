import type { NotificationChannels } from "#service/channels/notification-channels";
import type { TestMessages } from "#service/channels/test-messages";
import type { SmtpAccount } from "#service/notify/accounts";
import type { Sender } from "#service/notify/provider";
import type { Instances } from "#service/agents/instances";
import type { Judging } from "#service/judge/judging";
import type { ReadOnlyOwner } from "#service/configuration/object-guard";
import type { Keys } from "#service/edge/keys";
import type { Locations } from "#service/agents/locations";
import type { Monitors } from "#service/monitors/monitors";
import type { MailServer } from "#service/edge/mail-server";
import type { PublicAddress } from "#service/edge/public-address";
import type { OidcProvider } from "#service/oidc/oidc-provider";
import type { LinkMail } from "#service/people/link-mail";
import type { PasswordAsks } from "#service/people/password-asks";
import type { People } from "#service/people/people";
import type { SignInRecord } from "#service/people/sign-in-record";
import type { Passkeys } from "#service/people/passkeys";
import type { SecondFactors } from "#service/people/second-factors";
import type { Results } from "#service/agents/results";
import type { SecretBox } from "#service/edge/secret-box";
import type { Watch } from "#service/api/watch-endpoint";
import type { LetterWriting } from "#service/status-site/news/letter-writing";
import type { NewsRooms } from "#service/status-site/news/news-rooms";
import type { PageReaders } from "#service/status-site/news/page-readers";
import type { DomainLooks } from "#service/status-site/domain-looks";
import type { PublishedPages } from "#service/status-site/published-pages";
import type { StatusPages } from "#service/status-site/status-pages";
import type { SteadyClock } from "#base/steady-clock";
import type { Store } from "#service/store/store";

/** What the operator's pages read, and what their forms do. */
export interface PageRooms {
  readonly store: Store;
  readonly clock: SteadyClock;
  readonly monitors: Monitors;
  readonly locations: Locations;
  readonly instances: Instances;
  readonly judging: Judging;
  readonly keys: Keys;
  readonly people: People;
  readonly signIns: SignInRecord;
  readonly factors: SecondFactors;
  readonly passkeys: Passkeys;
  readonly publicAddress: PublicAddress;
  readonly linkMail: LinkMail;
  readonly passwordAsks: PasswordAsks;
  readonly results: Results;
  readonly watch: Watch;
  readonly box: SecretBox;
  readonly channels: NotificationChannels;
  readonly testMessages: TestMessages;
  /** Sends by a mail server that is tried. */
  readonly senderBy: (smtp: SmtpAccount) => Sender & AsyncDisposable;
  readonly statusPages: StatusPages;
  readonly published: PublishedPages;
  readonly domainLooks: DomainLooks;
  readonly readers: PageReaders;
  readonly writing: LetterWriting;
  readonly mails: NewsRooms["mails"];
  readonly newsAddress: NewsRooms["newsAddress"];
  readonly mailServer: MailServer;
  /** The files whose objects no form may change; null if there are none. */
  readonly readOnly: ReadOnlyOwner | null;
  /** Null if people sign in with keys and the password alone. */
  readonly oidc: OidcProvider | null;
}
