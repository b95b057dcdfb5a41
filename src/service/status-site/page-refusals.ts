import type { PageDefinition } from "#service/status-page/page-definition";
import type { TakenName } from "#service/store/page-store";
import { absent, because, Refusal, shortId } from "#service/edge/call-refusal";

/** What the calls of status pages refuse, each with its reason. */
export const noPage = (id: string): Refusal =>
  absent("status page", id, { reason: "STATUS_PAGE_NOT_FOUND", facts: { "page-id": id } });

const noComponentReason = "PAGE_COMPONENT_NOT_FOUND";

export const noComponent = (id: string): Refusal =>
  absent("component", id, { reason: noComponentReason, facts: { "component-id": id } });

export const isNoComponent = (error: unknown): boolean =>
  error instanceof Refusal && error.headers["error-reason"] === noComponentReason;

export const noGroup = (id: string): Refusal =>
  absent("component group", id, { reason: "COMPONENT_GROUP_NOT_FOUND", facts: { "group-id": id } });

export const noReport = (id: string): Refusal =>
  absent("status report", id, {
    reason: "STATUS_REPORT_NOT_FOUND",
    facts: { "status-report-id": id },
  });

/** `which` is an id, or says how it was looked for. */
export const noSubscriber = (which: string): Refusal =>
  new Refusal(
    "not_found",
    `this page has no subscriber ${shortId(which)}`,
    because("SUBSCRIBER_NOT_FOUND"),
  );

/** A name that another page has, or had: what was sent out with it leads there. */
export function nameTaken(
  taken: TakenName,
  { slug, customDomain }: Pick<PageDefinition, "slug" | "customDomain">,
): Refusal {
  switch (taken) {
    case "slug taken":
      return slugTaken(slug, `another status page has the slug ${shortId(slug)}`, isAnothers);
    case "slug led away":
      return slugTaken(slug, `${shortId(slug)} ${wasAnothers}`, wasAnothers);
    case "domain taken":
      return domainTaken(
        customDomain,
        `another status page has the custom domain ${shortId(customDomain)}`,
        isAnothers,
      );
    case "domain led away":
      return domainTaken(customDomain, `${shortId(customDomain)} ${wasAnothers}`, wasAnothers);
  }
}

const isAnothers = "is the one of another status page";
const wasAnothers =
  "is an earlier one of another status page, and links that were sent out lead there: choose another";

const slugTaken = (slug: string, words: string, message: string): Refusal =>
  new Refusal("already_exists", words, because("SLUG_ALREADY_EXISTS", { slug }), [
    { field: "slug", message },
  ]);

const domainTaken = (domain: string, words: string, message: string): Refusal =>
  new Refusal(
    "already_exists",
    words,
    because("CUSTOM_DOMAIN_ALREADY_EXISTS", { "custom-domain": domain }),
    [{ field: "custom_domain", message }],
  );

export const identifierMissing = (): Refusal =>
  new Refusal(
    "invalid_argument",
    "give one of the two that the call takes, for example id",
    because("IDENTIFIER_REQUIRED"),
  );

export const tooMany = (count: number, what: string): Refusal =>
  new Refusal(
    "resource_exhausted",
    `there are ${count} ${what} already`,
    because("RESOURCE_EXHAUSTED", { limit: String(count) }),
  );
