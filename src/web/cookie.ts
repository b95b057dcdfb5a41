/** The value of a cookie in a request's header; null where it has none of the name. */
export function cookieIn(header: string | undefined, name: string): string | null {
  const pairs = (header ?? "").split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? null;
}
