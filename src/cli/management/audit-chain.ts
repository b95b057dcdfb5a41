import { jsonFields } from "#base/json";
import { chainAfter, emptyChain, hashOfText } from "#machine/hash-chain";

/** An entry of an exported audit log, as far as its chain is concerned. */
interface ChainEntry {
  readonly number: number;
  readonly hash: string;
  /** The head of the chain of hashes; empty in entries from before it was kept. */
  readonly chain: string;
}

/**
 * Checks an exported audit log line by line. What it finds first is what is said: after that nothing is known of the rest.
 */
export class AuditChain {
  #newest: ChainEntry | null = null;
  #first: ChainEntry | null = null;

  get first(): ChainEntry | null {
    return this.#first;
  }

  get newest(): ChainEntry | null {
    return this.#newest;
  }

  /** What is wrong with the next line, without a full stop; null if it continues the log. */
  take(line: string): string | null {
    const entry = entryIn(line);
    if (entry === null) return "it is not an entry of the audit log";
    const wrong = this.#wrong(entry, line);
    if (wrong === null) {
      this.#first ??= entry;
      this.#newest = entry;
    }
    return wrong;
  }

  #wrong(entry: ReadEntry, line: string): string | null {
    const { number, hash, previous, chain } = entry;
    const before = this.#newest;
    const order = before === null ? null : orderFault(before.number, number);
    if (order !== null) return order;
    if (hashOfText(bytesHashed(line)) !== hash)
      return `entry ${number} was changed: its hash is not that of what it says`;
    if (before !== null && previous !== before.hash)
      return `entry ${number} does not follow entry ${before.number}: one of the two was replaced`;
    if (before === null && number === 1 && previous !== "")
      return "entry 1 names an entry before it: it was replaced";
    const head = headBefore(before, number);
    if (head === null) return null;
    if (chain !== "" ? chainAfter(head, hash) !== chain : head !== emptyChain)
      return `the head of the chain at entry ${number} is not that of the hashes before it`;
    return null;
  }
}

/** What the chain was before an entry; null if it is not known, because the file begins later. */
const headBefore = (before: ChainEntry | null, number: number): string | null =>
  before?.chain ?? (number === 1 ? emptyChain : null);

function orderFault(before: number, number: number): string | null {
  if (number === before + 1) return null;
  if (number <= before)
    return `entry ${number} comes after entry ${before}: entries were put into another order, or repeated`;
  return number === before + 2
    ? `entry ${before + 1} is missing`
    : `entries ${before + 1} to ${number - 1} are missing`;
}

interface ReadEntry extends ChainEntry {
  readonly previous: string;
}

function entryIn(line: string): ReadEntry | null {
  const { number, hash, previous, chain = "" } = jsonFields(line);
  return typeof number === "number" &&
    Number.isSafeInteger(number) &&
    typeof hash === "string" &&
    typeof previous === "string" &&
    typeof chain === "string"
    ? { number, hash, previous, chain }
    : null;
}

/** The hash is of the line before it was exported: without the hash and what follows it, closed by a bracket. */
function bytesHashed(line: string): string {
  const at = line.lastIndexOf(',"hash":"');
  return at < 0 ? line : `${line.slice(0, at)}}`;
}
