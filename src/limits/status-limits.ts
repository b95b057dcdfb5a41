import {
  type Bytes,
  hours,
  kibibytes,
  mebibytes,
  type Millis,
  minutes,
  seconds,
} from "#base/units";

/* Status pages. */

/** Pages of a company and its products; past them a script runs away. */
export const statusPagesMax = 1_000;
/** Names in the address, and as many domains, that a page had before and that lead to it still: no one renames a page so often. */
export const formerAddressesMax = 20;
/** A reader does not scroll further; a page of so many is some 100 KB. */
export const pageComponentsMax = 500;
export const pageGroupsMax = 100;
/** Domains, or address ranges, that may see a page. */
export const pageAccessEntriesMax = 100;
/** From the contract. */
export const pageIconCharsMax = 1_024;
/** An icon is drawn with 32 pixels, and a picture of 512 has some 50 KB. It is in the database, and in the trash of a deleted page. */
export const pageIconBytesMax: Bytes = kibibytes(256);
/** A reader's phone needs four bytes for each pixel: 16 MB for this. */
export const pageIconSideMax = 2_048;
/** The address of an icon has the hash of its bytes, so a browser need not ask again: a year is the longest it may keep one. */
export const pageIconKeptFor: Millis = hours(24 * 365);
/** Icons in memory, 256 KiB each at most: pages that many read at the same time. */
export const pageIconsKeptMax = 32;
/** A photo of a phone is read to its end, so that its form can say how large an icon may be; nothing of it is kept. */
export const fileFormBytesMax: Bytes = mebibytes(32);
/** Parts of a form with a file: that of a look has about forty. */
export const formPartsMax = 100;
/** A form has one file, of an icon; a browser sends no other. */
export const formFilesMax = 2;
/** The head of a part has a field's name and a file's, of 255 bytes each at most, which may be written three times as long. */
export const partHeadBytesMax: Bytes = kibibytes(2);
/** Templates of one page: whoever writes during an outage finds one among so many by its name, in one list. */
export const pageTemplatesMax = 50;
/** An update is read on a phone; what is longer belongs in a post-mortem elsewhere. */
export const reportMessageCharsMax = 8_192;
/** How far back a page shows reports and maintenance: two weeks, as people look for "last week". */
export const reportsShownFor: Millis = hours(24 * 14);
/** Planned work that begins within this is announced above the components: whoever reads today plans tomorrow by it. */
export const maintenanceSoonWithin: Millis = hours(48);
/** The days of a young status page begin with its first data, but there are so many: one alone would be as wide as the page. */
export const daysDrawnMin = 14;
/** Hours that are drawn of a page whose data are of two days at most: one or two bars of days say nothing. */
export const hoursDrawn = 48;
/** Components that the words of a group's bad day name: a bubble of more would cover the page. */
export const groupDayPartsSaid = 4;
/** A day that was down for less is light red: a reader may have missed it. */
export const dayDownLong: Millis = hours(1);
/** A day with less maintenance is drawn as one without: an hour is the least that is seen of a day's bar. */
export const dayPlannedDrawn: Millis = hours(1);
/** Maintenance of one page that it is shown from; the latest are kept. */
export const maintenancesShownMax = 100;
/** Windows of one maintenance in so many days as a page shows, and in the weeks to come: one each night. */
export const maintenanceWindowsMax = 150;
/** Days of its later times that a line names: a phone has room for them in two lines; all are below its fold. */
export const laterDaysShown = 5;
/** What is planned for later than this is shown by its next window alone. */
export const maintenanceShownAhead: Millis = hours(24 * 31);
/** Components without a monitor that the form of planned work offers, of all pages: 50 KB of a page. */
export const staticComponentsOfferedMax = 500;
/** A calendar file has the changes of clocks by which work repeats: one that is imported once still shows the next years right. */
export const calendarZoneAhead: Millis = hours(24 * 366 * 3);
/** A page is taken anew after this; a reader does not see a change sooner by hand. */
export const statusPageFreshFor: Millis = seconds(10);
/** Past this it is not shown once more while it is taken, but waited for: a page has many readers in five seconds, or none who mind. */
export const statusPageStaleFor: Millis = seconds(15);
/** A reader waits for the database so long, and then gets the page as it was last; the same for each page's name. */
export const statusPagePatience: Millis = seconds(2);
/** While the database is away a page is shown as it was last, as shared caches may do; past this it says too little. */
export const statusPageLateFor: Millis = hours(24);
/** Pages in memory: a page of 50 components is some 200 KB of facts, and as much again of what is made of them. */
export const statusPagesKeptMax = 100;
/** Documents of one page in memory: its views in six languages, its feeds, and badges of each component. */
export const statusDocumentsMax = 500;
/** An operator has a few proxies; a stranger who sends the header from many addresses fills no log. */
export const proxiesWarnedOfMax = 20;
/** How long a reader who gave the password of a page is let in. */
export const statusSessionLength: Millis = hours(30 * 24);
/** Updates of one report: one every quarter of an hour for two days. */
export const reportUpdatesMax = 200;

/* Readers who get a page's news by mail */

/** Readers of one page; at five mails a second the last one has a report after half an hour. */
export const pageSubscribersMax = 10_000;
/** Addresses that one form adds: each is a write of some milliseconds, and its person waits for all. */
export const addressesAddedAtOnce = 500;
/** Webhooks of one page: chats of customers and tools, which people add by hand. */
export const pageWebhooksMax = 100;
/** Webhooks that are sent to at the same time: eight that do not answer hold a batch of twenty for 45 s. */
export const webhookLanes = 8;
/** Components that a reader chooses are some of the page's. */
export const subscriberNameCharsMax = 255;
/** What a person types to find a subscriber: the URL of a webhook may be so long. */
export const subscriberSearchCharsMax = 2_048;
/** Subscribers that a search and a file read at a time: to open their addresses takes some 10 ms. */
export const subscribersReadAtOnce = 1_000;
/** Mails that strangers may ask for are counted over an hour: a person asks for one, and perhaps once more. */
export const asksSpan: Millis = hours(1);
export const asksOfReaderMax = 10;
export const asksOfPageMax = 100;
/** One address gets no more from all pages together, whoever asks: no one is flooded by us. */
export const asksOfAddressMax = 5;
/** An unsubscribe ends this pause: whoever left by mistake subscribes again at once. */
export const asksApart: Millis = minutes(10);
export const asksKeptFor: Millis = hours(24);
/** A mail is read within a day; what is not confirmed by then is asked for anew. */
export const confirmationWithin: Millis = hours(24);
export const unconfirmedKeptFor: Millis = hours(48);
/** Whoever left is seen by the page's people for a while, and then forgotten. */
export const unsubscribedKeptFor: Millis = hours(24 * 30);
/** A link that signs in is opened while its reader waits for it. */
export const entryWithin: Millis = minutes(15);
/** How long a reader is let in who showed that an address is theirs: then it may be another's. */
export const entrySessionLength: Millis = hours(24 * 7);
/** Letters that one replica takes at a time; after each such batch it pauses, which makes five a second. */
export const lettersAtOnce = 20;
export const lettersPause: Millis = seconds(4);
/** How often it looks when nothing rings. */
export const lettersLookEvery: Millis = seconds(5);
/** After this it begins no further letter of a batch, so that the last one ends within the claim. */
export const lettersTurnMax: Millis = seconds(60);
export const letterClaim: Millis = minutes(2);
/** Whoever has to save something before planned work begins does it in an hour; a day before, a mail is forgotten again. */
export const workRemindedBefore: Millis = hours(1);
/** A start of the service takes less; what is later than that is no news, and its reader has seen it. */
export const workMomentLateMax: Millis = minutes(10);
/** A mail of work is due at a minute, and read some minutes later. */
export const workMomentsLookEvery: Millis = seconds(10);
/**
 * Work each week is three mails a week. Each night it would be twenty, which readers unsubscribe from. An hour less than
 * seven days is a week in which clocks go forward.
 */
export const workMomentsApart: Millis = hours(24 * 6);
/** Planned work that is in memory at a time while it is looked for what is due: 2 MB of long messages. */
export const worksReadAtOnce = 1_000;
/** Ten thousand mails take half an hour; what waits for longer is held up. */
export const lettersLateAfter: Millis = hours(1);
/** Names of components in a mail; the page has the rest. */
export const affectedNamesMax = 20;
/** Components that get an impact by themselves in one form: more of them are said by a call, or share one. */
export const ownImpactsMax = 50;
/** Shorter passwords of a page are found by trying: forms refuse them. Calls and files set any, as ever. */
export const pagePasswordCharsAdvised = 8;

/** A badge with a longer name would not fit beside others in the first line of a README. */
export const badgeNameCharsMax = 40;

/* Domains of status pages */

/** The page that says what DNS has for a domain waits no longer for it. */
export const domainLookUpTimeout: Millis = seconds(2);
/** Whoever changes DNS loads the page again to see it. */
export const domainLeadFreshFor: Millis = seconds(5);
export const domainLeadsKeptMax = 100;
/** The runtime looks up four names at a time: those that hang leave half of that to everything else. */
export const domainLookUpsAtOnce = 2;
/** Parts of hours between works that are read by their results: whoever ends and begins work more often has the newest ones. */
export const partsOfHoursRead = 16;
