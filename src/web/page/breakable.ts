import { html, type Html } from "#web/page/html";

/**
 * A name, which is often an address: a long word of it may be broken after `/`, `:`, `@` or a dot, so that a browser does not
 * tear `health` apart.
 */
export const breakable = (name: string): Html | string =>
  longWord.test(name)
    ? html`${name.split(breaks).map((part, index) => (index === 0 ? html`${part}` : html`<wbr />${part}`))}`
    : name;

/** Shorter ones find room in a line of the narrowest screen. */
const longWord = /\S{17}/;
const breaks = /(?<=[/:.?&=@_])(?=[^/:.?&=@_\s])/;
