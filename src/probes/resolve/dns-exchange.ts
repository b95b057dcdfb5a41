import { randomInt } from "node:crypto";
import { type Deadline, endedEarlierBy, startDeadline } from "#base/deadline";
import { Ending } from "#base/ending";
import * as limits from "#limits/probes-limits";
import { askServer, type QueryEnd } from "#probes/resolve/ask-server";
import type { AskTools, Exchange } from "#probes/resolve/dns-transport";
import type { ExchangeWatch } from "#probes/resolve/exchange-watch";
import type { Question } from "#probes/resolve/dns-message";
import type { NameServer } from "#probes/resolve/resolving";
import { noTranscript } from "#probes/resolve/transcript";
import { millis, type Millis, nanos, nanosToMillis } from "#base/units";

/** How a list of servers is gone through; the words are those of resolv.conf(5). */
export interface AskPolicy {
  readonly servers: readonly NameServer[];
  /** How long one server is waited for. */
  readonly timeout: Millis;
  /** How often the whole list is gone through. */
  readonly attempts: number;
  /** Whether each question begins at another server, to spread the load. */
  readonly rotate: boolean;
  /** Whether UDP is passed over (`use-vc`). */
  readonly overTcp: boolean;
}

/** Servers named by a monitor or by PICKET_DNS_SERVERS are gone through as the system's are by default. */
export const policyOf = (servers: readonly NameServer[]): AskPolicy => ({
  servers,
  timeout: limits.dnsServerTimeoutDefault,
  attempts: limits.dnsAttemptsDefault,
  rotate: false,
  overTcp: false,
});

/**
 * Asks the servers in their order until one gives a usable answer: on SERVFAIL, REFUSED, NOTIMP, a referral, an
 * unreachable server or an answer that cannot be had whole the next is asked, and the whole list `attempts` times. One
 * that keeps silent for a second is listened to until its time is up, while the next is asked. Ends when the deadline
 * does, and always resolves.
 */
export async function askServers(
  question: Question,
  policy: AskPolicy,
  deadline: Deadline,
  tools: AskTools,
  watch: ExchangeWatch | null = null,
): Promise<QueryEnd> {
  const { clock, serverOrder } = tools;
  const startedAt = clock.monotonic();
  const servers = serverOrder.of(policy.rotate ? rotated(policy.servers) : policy.servers);
  const due = servers.length > 1 ? serverOrder.dueOf(servers.slice(1)) : null;
  if (due !== null) void tryAgain(due, question, policy, tools);
  const asking = new Asking(question, { ...policy, servers }, deadline, tools, watch);
  const asked = await asking.run();
  if (isFinal(asked)) return asked;
  const elapsed = nanosToMillis(nanos(clock.monotonic() - startedAt));
  return inTime(asked, question, deadline, deadline.ended === null ? elapsed : deadline.budget);
}

/** No check waits for the answer, and no transcript has it: whether one comes is all that counts. */
async function tryAgain(
  server: NameServer,
  question: Question,
  { timeout, overTcp }: AskPolicy,
  tools: AskTools,
): Promise<void> {
  using deadline = startDeadline(tools.clock, timeout);
  const unseen = { ...tools, transcript: noTranscript };
  const asked = await askServer(
    { question, server, deadline, watch: null, tools: unseen },
    overTcp,
  );
  if (isFinal(asked)) tools.serverOrder.answered(server);
}

/**
 * One question to several servers, as far as each has to be asked.
 *
 *     a ───────────────── silent: the next is asked after a second
 *            b ──✗ SERVFAIL: the next is asked at once
 *                c ────● the answer: the others are listened to no longer
 */
class Asking {
  readonly #question: Question;
  readonly #policy: AskPolicy;
  readonly #deadline: Deadline;
  readonly #tools: AskTools;
  readonly #watch: ExchangeWatch | null;
  readonly #over = new Ending();
  /** The deadline, which an answer ends earlier. */
  readonly #patience: Deadline;
  readonly #headStart: Millis;
  readonly #listening = new Map<NameServer, Listening>();
  #best: QueryEnd;

  constructor(
    question: Question,
    policy: AskPolicy,
    deadline: Deadline,
    tools: AskTools,
    watch: ExchangeWatch | null,
  ) {
    this.#question = question;
    this.#policy = policy;
    this.#deadline = deadline;
    this.#tools = tools;
    this.#watch = watch;
    const count = policy.servers.length;
    this.#patience = count > 1 ? endedEarlierBy(deadline, this.#over) : deadline;
    // Each server has its turn within a short deadline, and the last one time to answer.
    const share = millis(deadline.remaining() / (count + 1));
    this.#headStart = millis(Math.min(limits.dnsNextServerAfter, policy.timeout, share));
    this.#best = {
      ok: false,
      code: "dns_unreachable",
      message: `cannot resolve ${question.name}: no name server is configured`,
      server: null,
    };
  }

  async run(): Promise<QueryEnd> {
    await this.#goThrough();
    await Promise.all([...this.#listening.values()].map(({ ended }) => ended));
    this.#over.abort();
    return this.#best;
  }

  async #goThrough(): Promise<void> {
    const { servers, attempts } = this.#policy;
    for (let attempt = 0; attempt < attempts; attempt += 1)
      for (const server of servers) {
        // It is not asked again as long as it is listened to.
        await this.#listening.get(server)?.ended;
        if (this.#isOver) return;
        await this.#giveTurn(server);
        if (this.#isOver) return;
      }
  }

  get #isOver(): boolean {
    return this.#over.aborted || this.#deadline.ended !== null;
  }

  /** Ends with what became of the question, or with the head start that this server has. */
  async #giveTurn(server: NameServer): Promise<void> {
    if (this.#policy.servers.length < 2) return this.#ask(server);
    const isHeard = new Ending();
    const ended = this.#ask(server).finally(() => isHeard.abort());
    const listening: Listening = { ended, isOvertaken: false };
    this.#listening.set(server, listening);
    await this.#tools.clock.sleep(this.#headStart, isHeard);
    listening.isOvertaken = true;
  }

  async #ask(server: NameServer): Promise<void> {
    const { clock } = this.#tools;
    const { timeout, overTcp } = this.#policy;
    // A share that ends with the deadline would race against it for the same instant.
    const share =
      timeout < this.#deadline.remaining()
        ? startDeadline(clock, timeout, this.#patience.end)
        : null;
    const exchange: Exchange = {
      question: this.#question,
      server,
      deadline: share ?? this.#patience,
      watch: this.#watch,
      tools: this.#tools,
    };
    // Always resolves. Not `using`: V8 disposes by a slow call, which each question would make.
    const asked = await askServer(exchange, overTcp);
    share?.[Symbol.dispose]();
    this.#listening.delete(server);
    if (this.#over.aborted) return;
    const isSilent = !asked.ok && asked.code === "dns_timeout" && share?.ended === "timeout";
    if (isSilent && this.#policy.servers.length > 1) this.#tools.serverOrder.keptSilent(server);
    // What a server said says more than another's silence.
    if (asked.ok || (!this.#best.ok && this.#best.code !== "dns_truncated")) this.#best = asked;
    if (isFinal(asked)) this.#conclude(server);
  }

  #conclude(server: NameServer): void {
    const { serverOrder } = this.#tools;
    serverOrder.answered(server);
    for (const [other, { isOvertaken }] of this.#listening)
      if (isOvertaken) serverOrder.keptSilent(other);
    this.#over.abort();
  }
}

/** A question that a server has not answered yet. */
interface Listening {
  readonly ended: Promise<void>;
  /** Whether it was silent for as long as a server has before the next is asked. */
  isOvertaken: boolean;
}

function rotated<T>(list: readonly T[]): readonly T[] {
  if (list.length < 2) return list;
  const first = randomInt(list.length);
  return [...list.slice(first), ...list.slice(0, first)];
}

function isFinal(asked: QueryEnd): boolean {
  return asked.ok
    ? !asked.answer.isReferral && !["SERVFAIL", "REFUSED", "NOTIMP"].includes(asked.answer.rcode)
    : asked.code === "dns_malformed" || asked.code === "agent_error";
}

/** Says how long a silence lasted; a question that was aborted has no such time. */
function inTime(
  asked: QueryEnd,
  { name }: Question,
  { ended }: Deadline,
  waited: number,
): QueryEnd {
  if (ended === "cancelled") {
    const message = "The check was aborted before it ended";
    return { ok: false, code: "cancelled", message, server: asked.server };
  }
  if (asked.ok || asked.code !== "dns_timeout") return asked;
  const message = `Timeout after ${Math.round(waited)} ms resolving ${name} (${asked.message})`;
  return { ...asked, message };
}
