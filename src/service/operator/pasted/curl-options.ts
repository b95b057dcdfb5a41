import { namedOptions, notTaken } from "#check/kinds/command-parts";

/*
 * The options of curl that a check has nothing for. Each that is not taken over is named, with what to do instead.
 */

/** Short options and the long names that they stand for, of those that are not taken over. */
const longNames: Readonly<Record<string, string>> = {
  "-k": "--insecure",
  "-E": "--cert",
  "-x": "--proxy",
  "-F": "--form",
  "-T": "--upload-file",
  "-n": "--netrc",
};

const ownAuthority =
  "certificates are always verified. Give your CA to the agent in PICKET_CA_FILE";
const ownCertificate = "give the certificate to the agent in PICKET_CLIENT_CERT_FILE";
const ownProxy = "give the proxy to the agent in PICKET_TARGET_PROXY";
const ownAddress = "the agent looks names up itself. Give it the name by its DNS";
const plainBody = "type the request body under Request";
const oneHeader = "add the header Authorization under Request";

const instead: Readonly<Record<string, string>> = {
  "--insecure": ownAuthority,
  "--cacert": ownAuthority,
  "--capath": ownAuthority,
  "--cert": ownCertificate,
  "--key": ownCertificate,
  "--proxy": ownProxy,
  "--socks5": ownProxy,
  "--socks5-hostname": ownProxy,
  "--resolve": ownAddress,
  "--connect-to": ownAddress,
  "--connect-timeout": "one timeout bounds the whole attempt. Set it under Timeout and retries",
  "--form": plainBody,
  "--form-string": plainBody,
  "--upload-file": plainBody,
  "--netrc": oneHeader,
  "--digest": oneHeader,
  "--ntlm": oneHeader,
  "--negotiate": oneHeader,
  "--anyauth": oneHeader,
};

/**
 * What an option that is not taken over is called, as it was typed, and what to do. `meant` is what curl calls an option of another
 * program.
 */
export const leftOutWords = (option: string, meant: string = option): string =>
  notTaken(option, instead[longNames[meant] ?? meant]);

/** Whether that is about certificates, of which a plain http address has none. */
export const isOfCertificates = (words: string): boolean =>
  [ownAuthority, ownCertificate].some((one) => words.includes(one));

/** Options that are only about what curl prints or keeps: a check loses nothing without them. */
export const isOfOutput = (option: string): boolean =>
  ofOutput.has(option) || outputWithValue.has(option);

/** Whether the body is printed somewhere else with it, or headers before it. */
export const changesOutput = (option: string): boolean => besideBody.has(option);

const besideBody = namedOptions(`
  -o --output -O --remote-name -i --include -v --verbose -D --dump-header`);

const ofOutput = namedOptions(`
  -s --silent -S --show-error -v --verbose -i --include -f --fail --fail-with-body -# --progress-bar
  --no-progress-meter -N --no-buffer -O --remote-name --basic --compressed`);

const outputWithValue = namedOptions(`
  -o --output -c --cookie-jar -D --dump-header --stderr --trace --trace-ascii`);

/** Whether the word after an option that is not taken over is its value. */
export const takesValue = (option: string): boolean =>
  outputWithValue.has(option) || otherWithValue.has(option);

const otherWithValue = namedOptions(`
  --connect-timeout --retry-delay --retry-max-time --max-redirs --limit-rate -x --proxy -U --proxy-user
  --proxy-header --noproxy --socks5 --socks5-hostname --cacert --capath -E --cert --cert-type --key
  --key-type --pass --pinnedpubkey --ciphers --tls13-ciphers --tls-max --resolve --connect-to --interface
  --local-port --dns-servers --doh-url -F --form --form-string -T --upload-file -K --config -r --range
  -C --continue-at -z --time-cond -y --speed-time -Y --speed-limit --netrc-file --unix-socket
  --abstract-unix-socket --keepalive-time --aws-sigv4 --max-filesize --proto --proto-default -P --ftp-port`);
