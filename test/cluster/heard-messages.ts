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
