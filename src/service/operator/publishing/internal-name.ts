import { covers, isMapped, lowestFour, parseBlock, writtenAddress } from "#network/address-block";
import { html, type Html } from "#web/page/html";

/** Ends of names that only a network's own DNS knows, and the host itself. */
const ownEnds =
  /\.(internal|intranet|intra|local|localdomain|lan|corp|private|home\.arpa|localhost)$|^localhost$/i;
/** This machine, networks that the internet does not route, and one link alone: RFC 1122, 1918, 3927, 4193, 4291, 6598. */
const ownBlocks = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "::/127",
  "fc00::/7",
  "fe80::/10",
].flatMap((text) => parseBlock(text) ?? []);

/** Whether a name that visitors read has an address in it that leads them nowhere, e.g. `10.0.0.5` or `db.internal:5432`. */
export const hasInternalAddress = (name: string): boolean =>
  name
    .split(/[\s,;()<>"']+/)
    .filter((word) => word !== "")
    .some(isInternal);

function isInternal(word: string): boolean {
  const withoutScheme = word.replace(/^[a-z][a-z\d+.-]*:\/\//i, "").replace(/[/?#].*$/, "");
  const bare = withoutScheme.replace(/^\[(.*)\](:\d+)?$/, "$1");
  if (isOwnAddress(bare)) return true;
  const [host = "", port] = bare.split(":");
  if (isOwnAddress(host) || ownEnds.test(host)) return true;
  // One label with a port is a host of the own network.
  return port !== undefined && /^\d{2,5}$/.test(port) && /^[a-z][\w-]*$/i.test(host);
}

/** Two colons alone are no address that a person means. */
function isOwnAddress(text: string): boolean {
  const written = text === "::" ? null : writtenAddress(text);
  if (written === null) return false;
  const address = isMapped(written) ? lowestFour(written) : written;
  return ownBlocks.some((block) => covers(block, address));
}

/** What is said next to such a name; null of every other. */
export const internalNameNote = (name: string): Html | null =>
  hasInternalAddress(name) ? html`<p class="doubt">${internalNameWords}</p>` : null;

export const internalNameWords = "Visitors will read this internal address: give it a public name.";
