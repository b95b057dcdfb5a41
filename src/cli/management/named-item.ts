import { CannotDo } from "#cli/management/with-service";
import { nearest } from "#base/nearest";

/** Something of the service that a person calls by its name. */
export interface NamedItem {
  readonly id: string;
  readonly name: string;
}

/** The one that is called so, by its name or its id. Throws a CannotDo with the nearest name, or with the ids of several. */
export function namedOne<T extends NamedItem>(
  what: string,
  asked: string,
  all: readonly T[],
  listed = `picket ${what}s`,
): T {
  const named = all.filter(({ name }) => name === asked);
  const [first, ...others] = named;
  if (first !== undefined && others.length > 0)
    throw new CannotDo(
      `the service has ${named.length} ${what}s named "${asked}": give one's id, ${named.map(({ id }) => id).join(" or ")}`,
    );
  const found = first ?? all.find(({ id }) => id === asked);
  if (found === undefined) throw noSuch(what, asked, all, listed);
  return found;
}

/** What to say of a name that nothing has; `listed` is the command that shows all of them. */
export function noSuch(
  what: string,
  asked: string,
  all: readonly NamedItem[],
  listed = `picket ${what}s`,
): CannotDo {
  const meant = nearest(
    asked,
    all.map(({ name }) => name),
  );
  if (meant !== null)
    return new CannotDo(`there is no ${what} "${asked}"; did you mean "${meant}"?`);
  const next = all.length === 0 ? "the service has none" : `${listed} lists what there is`;
  return new CannotDo(`there is no ${what} "${asked}"; ${next}`);
}
