/** A browser without a screen: keeps cookies, and follows where it is led, over all servers of this machine. */
export class Browsing {
  readonly #cookies = new Map<string, string>();
  /** Where it has been, the last one last. */
  readonly visited: URL[] = [];

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Another one with the same cookies. */
  with(cookie: string): void {
    const [name = "", value = ""] = cookie.split("=", 2);
    this.#cookies.set(name, value);
  }

  async open(url: string): Promise<Response> {
    this.visited.push(new URL(url));
    const response = await fetch(url, {
      redirect: "manual",
      headers: { accept: "text/html", cookie: this.cookie },
    });
    for (const text of response.headers.getSetCookie()) this.with(text.split(";")[0] ?? "");
    const to = response.headers.get("location");
    if (to === null) return response;
    await response.body?.cancel();
    return this.open(new URL(to, url).href);
  }
}
