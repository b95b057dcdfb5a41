import type { SignedIn } from "./signed-in.ts";

/** The page that sets up a second factor, whose address has its draft. */
export async function factorPage({ get, text }: SignedIn): Promise<string> {
  const started = await get("/settings/factor");
  return text(started.headers.get("location") ?? "");
}
