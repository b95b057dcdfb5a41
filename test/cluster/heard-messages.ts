import type { MoodyProvider } from "../chaos/moody-provider.ts";

/** What the webhook heard of each monitor, a message's id once: whoever receives it leaves out what it has. */
export function heardOf({ taken }: MoodyProvider): ReadonlyMap<string, readonly string[]> {
  const hooks = taken.filter(({ path }) => path.startsWith("/hook"));
  const unique = new Map(hooks.map(({ headers, body }) => [String(headers["webhook-id"]), body]));
  const messages = [...unique.values()].map(
    (body): { readonly type: string; readonly monitor?: { readonly name: string } } =>
      JSON.parse(body),
  );
  const named = Map.groupBy(messages, ({ monitor }) => monitor?.name ?? "another subject");
  return new Map([...named].map(([name, all]) => [name, all.map(({ type }) => type)]));
}

/** The alerts that stand at the pager: of each key, the last that it took is no end. */
export function standingAt({ taken }: MoodyProvider): readonly string[] {
  const events = taken
    .filter(({ path }) => path.startsWith("/v2"))
    .map(({ body }): { readonly dedup_key: string; readonly event_action: string } =>
      JSON.parse(body),
    );
  const last = new Map(events.map(({ dedup_key, event_action }) => [dedup_key, event_action]));
  return [...last].filter(([, action]) => action !== "resolve").map(([key]) => key);
}
