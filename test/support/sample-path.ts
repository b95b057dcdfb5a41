/**
 * A path that a route's expression takes: `id` for each id, the first of what may be, nothing for what may be left out.
 * Without another, `id` is of a thing that is not there.
 */
export const samplePath = ({ source }: RegExp, id = "999999"): string =>
  source
    .replaceAll(/\(\?<json>[^)]*\)\??/g, "")
    .replaceAll(/\(\?:[^()]*\)\?/g, "")
    .replaceAll(/\(\?:([^()|]*)[^()]*\)/g, "$1")
    .replaceAll(/\(\?<\w+>(?:\\d|\[[^\]]*\])[^)]*\)/g, id)
    .replaceAll(/\(\?<\w+>([\w-]+)[^)]*\)/g, "$1")
    .replaceAll("\\/", "/")
    .replaceAll("\\.", ".")
    .replaceAll(/^\^|\$$/g, "");
