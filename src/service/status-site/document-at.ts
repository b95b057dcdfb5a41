import { localeFor, type PageRoute, type PageView } from "#service/status-site/page-path";
import type { Visit } from "#service/status-site/page-visit";
import {
  writtenDocument,
  writtenMonitor,
  writtenMonitorDocument,
  writtenView,
} from "#service/status-site/page-writing";
import { badgeLookIn, writtenBadge } from "#service/status-site/badge-writing";
import type { PageDocument, PageText, PublishedPage } from "#service/status-site/published-pages";
import { boxThemeIn, stateBox } from "#service/status-site/view/state-box";
import type { PagePlace } from "#service/status-site/view/status-frame";
import type { Locale } from "#service/status-page/page-definition";
import { publicMonitor } from "#service/status-page/public-monitor";

export type DocumentRoute = Exclude<PageRoute, { readonly kind: "icon" | "news" | "sign-in" }>;

/** What is written at an address; null if there is nothing of the kind. */
export async function documentAt(
  route: DocumentRoute,
  { page, place, url, request }: Visit,
): Promise<PageDocument | null> {
  switch (route.kind) {
    case "page": {
      const accepts = request.headers["accept-language"] ?? "";
      const locale = localeFor(route.locale, accepts, page.facts.definition);
      const name = `${locale} ${place.origin}${place.base} ${JSON.stringify(route.view)}`;
      return page.rendered(name, () => viewText(page, route.view, locale, place));
    }
    case "document": {
      const name = `${route.name} ${place.origin}${place.base}`;
      return page.rendered(name, (model) => writtenDocument(model, route.name, place));
    }
    case "monitor": {
      const shown = publicMonitor(page.model, page.facts, route.id);
      if (shown === null) return null;
      return page.rendered(`monitor ${route.id}`, async (model) =>
        writtenMonitorDocument(model, shown, await page.latency(shown)),
      );
    }
    case "embed": {
      const theme = boxThemeIn(url.searchParams, "theme");
      const name = `embed ${route.locale} ${theme} ${place.origin}${place.base}`;
      return page.rendered(name, (model) => stateBox(model, route.locale, theme, place));
    }
    case "badge": {
      const look = badgeLookIn(url.searchParams);
      const name = `badge ${route.component} ${route.isJson} ${Object.values(look).join(" ")}`;
      return page.rendered(name, (model) => writtenBadge(model, route, look));
    }
  }
}

/** Null if there is nothing of the kind. */
function viewText(
  page: PublishedPage,
  view: PageView,
  locale: Locale,
  place: PagePlace,
): PageText | null | Promise<PageText> {
  const { model, facts } = page;
  if (view.of !== "monitor") return writtenView(model, view, locale, place);
  const shown = publicMonitor(model, facts, view.id);
  if (shown === null) return null;
  return page
    .latency(shown)
    .then((latency) => writtenMonitor(model, shown, latency, locale, place));
}
