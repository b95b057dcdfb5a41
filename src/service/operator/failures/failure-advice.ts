import type { FailureCode } from "#check/failure";

/* Likely causes of each failure, and what a person does about it. `A word` is code. docs/troubleshoot.md has the same. */

const ofMonitor = {
  invalid_url: "A typing mistake, or another scheme than http and https. Correct the monitor.",
  invalid_uri:
    "A port is missing, or an address is written in an unusual form, for example 127.1. Correct the monitor.",
  invalid_method: "Choose another method.",
  invalid_header:
    "A line break or a space in the name, or a header that belongs to the connection. Correct the monitor.",
  invalid_periodicity: "Choose one that the message lists.",
  invalid_comparator: "A newer service: update the agent, or correct the assertion.",
  invalid_setting: "The sentence names the field.",
  target_denied:
    "PICKET_TARGET_DENY, or a link-local or metadata address. If it is meant, name it in PICKET_TARGET_ALLOW.",
  agent_error:
    "Do what the message says, for example raise LimitNOFILE= if it has no file descriptor left. If it says nothing to do, look at the agent's log and report it.",
  cancelled: "The agent was stopped. Nothing to do.",
} as const satisfies Partial<Record<FailureCode, string>>;

const ofNames = {
  dns_nxdomain:
    "A typing mistake, or a name that only other servers know: set PICKET_DNS_SERVERS to those of this network.",
  dns_nodata: "PICKET_IP_FAMILY asks for the other family, or the record is missing.",
  dns_servfail: "The zone's own servers are down, or its DNSSEC is broken. Ask them.",
  dns_refused:
    "It does not serve this machine. Name another in PICKET_DNS_SERVERS, or in the monitor.",
  dns_rcode: "The sentence names it. Look at that server's log.",
  dns_timeout: "A firewall drops port 53, or the server is down. `picket doctor` tries each.",
  dns_malformed:
    "Something on the way rewrites DNS, or it is not a name server. See the bytes with `--explain`.",
  dns_truncated: "A firewall lets only UDP to port 53 pass: open TCP.",
  dns_unreachable: "Check /etc/resolv.conf or PICKET_DNS_SERVERS, and the route.",
} as const satisfies Partial<Record<FailureCode, string>>;

const ofConnection = {
  connection_refused:
    "The target is down, at another port, or a firewall rejects. Look at the target.",
  connection_reset: "The target crashed or dropped us, or a firewall cut in. The phase says when.",
  host_unreachable: "The host is off, or its network rejects us.",
  network_unreachable: "This machine has no such route, for example for IPv6: see `picket doctor`.",
  address_unusable: "A broadcast address, or one of a family that this machine does not have.",
  connect_timeout:
    "A firewall drops packets, or the target has no room. Try it from the target's own network.",
  icmp_timeout:
    "The host is down, or it or a firewall drops pings without a word. Try a TCP monitor of a port that is open there.",
  icmp_host_unreachable:
    "The host is off, or its address is another now. Look at the network that the router is in.",
  icmp_net_unreachable: "Look at the routes of the router that the sentence names.",
  icmp_prohibited: "A firewall refuses ICMP. Allow echo requests there, or check a TCP port.",
  icmp_ttl_exceeded: "Two routers send the packet to each other. Look at their routes to the host.",
  proxy_refused:
    "Wrong credentials (407), or the proxy forbids the target. Check PICKET_TARGET_PROXY, or except it in PICKET_NO_PROXY.",
  proxy_timeout: "It is overloaded, or cannot reach the target and does not say so.",
} as const satisfies Partial<Record<FailureCode, string>>;

const ofTls = {
  tls_expired: "Renew it. If many targets say so, check this machine's clock.",
  tls_not_yet_valid: "This machine's clock is behind, or it was issued too early.",
  tls_hostname: "The monitor names another host than the certificate, or a default host answers.",
  tls_self_signed: "Give it, or better an authority, in PICKET_CA_FILE.",
  tls_untrusted:
    "A private authority: PICKET_CA_FILE. Or the server does not send its intermediate certificate, or one of the chain is too weak or made for another use. The sentence says which, with OpenSSL's own name of the fault.",
  tls_protocol: "The target speaks only versions before 1.2. Update it.",
  tls_alert: "It wants a client certificate (PICKET_CLIENT_CERT_FILE), or knows no such host.",
  tls_timeout: "The target is overloaded, or no TLS server listens there.",
  tls_closed: "A load balancer without a healthy backend, or a port without TLS.",
  not_tls: "Use http://, or the port of TLS.",
} as const satisfies Partial<Record<FailureCode, string>>;

const ofAnswer = {
  write_timeout: "The target does not read: it hangs.",
  response_timeout:
    "The application is slow or hangs. The phase `wait` shows for how long; raise the timeout only if that is right.",
  empty_reply: "It crashed at the request, or a proxy before it has no backend.",
  headers_truncated: "It crashed while it answered.",
  headers_too_large: "Cookies or headers grow without limit.",
  protocol_error: "Another protocol on this port, or broken framing. See it with `--explain`.",
  body_truncated: "The target or a proxy before it broke off.",
  body_timeout: "A slow or endless answer. Check a smaller page.",
  body_too_large: "Raise PICKET_MAX_BODY, or check a smaller page.",
  decode_error: "The target says gzip or br and sends something else.",
  too_many_redirects: "`--explain` shows each hop. Often a login, or http and https in turns.",
  grpc_not_serving: "The server answers, and says so itself. Read its log.",
  grpc_service_unknown:
    "A typing mistake in `service`, or a server that does not register it with its health service. Leave `service` out to ask for the whole server.",
  grpc_unimplemented:
    "Add the health service to the server (grpc.health.v1), or check the port by TCP.",
  grpc_status:
    "The sentence has the code and what the server wrote with it, for example missing credentials in `metadata`.",
  unexpected_status:
    "The target answers with a status code that does not count as success. Read its log, or assert this status code if you expect it.",
  assertion_failed: "The sentence quotes the expected value, and the actual one.",
} as const satisfies Partial<Record<FailureCode, string>>;

/** Every code of the vocabulary: one without advice does not compile. */
export const failureAdvice: { readonly [C in FailureCode]: string } = {
  ...ofMonitor,
  ...ofNames,
  ...ofConnection,
  ...ofTls,
  ...ofAnswer,
};

/** Codes in the order in which a check goes. */
export const failureParts: readonly (readonly [string, readonly string[]])[] = [
  ["The monitor or the agent", Object.keys(ofMonitor)],
  ["Names", Object.keys(ofNames)],
  ["Connection and proxy", Object.keys(ofConnection)],
  ["TLS", Object.keys(ofTls)],
  ["Request and answer", Object.keys(ofAnswer)],
];
