import type { Grammar } from "#cli/grammar/command";
import { file, type OptionsOf, value, word } from "#cli/grammar/option";

/** How `picket key` is typed. */
export const keyGrammar: Grammar<OptionsOf<never, "comment">> = {
  name: "key",
  summary: "makes a key that monitors are signed by, and shows what was signed",
  forms: ["new FILE [--comment TEXT]", "show FILE", "statement MONITOR", "signature MONITOR"],
  about: `new writes an Ed25519 key to FILE, as OpenSSH does, and prints its public half: the line that agents get as
PICKET_TRUSTED_KEYS. Keep FILE secret, and give it to picket apply --sign.
show prints the public half of a private key.
statement prints the bytes that the signature of a monitor is over, and signature prints the signature as
ssh-keygen -Y verify reads it. The service is that of SERVICE_API_URL, the key that of SERVICE_API_KEY, with the scope write.`,
  words: [word("VERB", ["new", "show", "statement", "signature"]), file],
  options: { comment: value(word("TEXT"), "whose key it is, at the end of the public line") },
  notes: "Exit codes: 0 done, 1 it could not be done, 64 wrong usage.",
};
