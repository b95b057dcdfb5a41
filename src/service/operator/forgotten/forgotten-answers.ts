import type { IncomingMessage } from "node:http";
import { personNameCharsMax, signInTriesPerAddressMax } from "#limits/pages-limits";
import { passwordAsksPerMinuteMax } from "#limits/sign-in-limits";
import type { Block } from "#network/address-block";
import { lineAnswer, type PageAnswer, seeOther } from "#service/edge/page-answer";
import { formIn } from "#service/edge/posted-form";
import { isFromElsewhere } from "#service/edge/request-facts";
import { Tries } from "#service/edge/tries";
import { addressPattern } from "#service/notify/mail-address";
import {
  askedView,
  forgottenPath,
  forgottenView,
} from "#service/operator/forgotten/forgotten-view";
import type { Html } from "#web/page/html";
import type { PageRooms } from "#service/operator/page-rooms";
import { strangersPage, tooOften } from "#service/operator/sign-in-page";
import { readersAddress } from "#web/reader-address";

/** Answers /sign-in/forgotten: whoever has forgotten their password asks for a mail with a link. */
export class Forgotten {
  readonly #rooms: PageRooms;
  readonly #trustedProxies: readonly Block[];
  readonly #tries: Tries;

  constructor(rooms: PageRooms, trustedProxies: readonly Block[]) {
    this.#rooms = rooms;
    this.#trustedProxies = trustedProxies;
    this.#tries = new Tries(rooms.clock, {
      perAddress: signInTriesPerAddressMax,
      together: passwordAsksPerMinuteMax,
    });
  }

  has(pathname: string): boolean {
    return pathname === forgottenPath;
  }

  async answer(request: IncomingMessage, url: URL): Promise<PageAnswer> {
    if (request.method === "POST") return this.#take(request);
    if (url.searchParams.has("asked")) return this.#page(askedView, 200);
    // Without mails an owner's link is the only way, as the page to sign in says.
    if (!this.#rooms.passwordAsks.isOffered) return seeOther("/sign-in");
    return this.#page(forgottenView({ email: "", fault: null }), 200);
  }

  /** One answer to every address: what is done with it begins after that. */
  async #take(request: IncomingMessage): Promise<PageAnswer> {
    const form = await formIn(request);
    if (form === null || isFromElsewhere(request)) return lineAnswer(403, "This form is not ours.");
    const { passwordAsks } = this.#rooms;
    if (!passwordAsks.isOffered) return seeOther("/sign-in");
    const email = (form.get("email") ?? "").trim().toLowerCase();
    const from = readersAddress(request, this.#trustedProxies);
    if (!this.#tries.take(from)) return this.#page(forgottenView({ email, fault: tooOften }), 429);
    if (!addressPattern.test(email) || email.length > personNameCharsMax)
      return this.#page(forgottenView({ email, fault: noAddress }), 400);
    passwordAsks.add({ email, from });
    return seeOther(`${forgottenPath}?asked`);
  }

  #page(content: Html, status: number): PageAnswer {
    return strangersPage(this.#rooms, { title: "Forgotten password", content }, status);
  }
}

const noAddress = "The e-mail address must be like ann@example.com.";
