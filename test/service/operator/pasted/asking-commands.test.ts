import { expect, test } from "vitest";
import { commandFault } from "#service/operator/pasted/pasted-command";
import { pastedMonitor } from "#service/operator/pasted/pasted-monitor";

const fieldsOf = (text: string) => Object.fromEntries(pastedMonitor(text)?.fields ?? []);
const leftOutOf = (text: string) => pastedMonitor(text)?.leftOut;
const record = "record_assertions[0].record";

test.each([
  ["dig +short acme.test", { uri: "acme.test" }],
  ["dig -t MX acme.test @10.0.0.53", { uri: "dns:acme.test?server=10.0.0.53", [record]: "MX" }],
  ["dig -tMX acme.test", { uri: "acme.test", [record]: "MX" }],
  ["dig acme.test TXT", { uri: "acme.test", [record]: "TXT" }],
  [
    "dig @10.0.0.53 -p 5353 acme.test TXT",
    { uri: "dns:acme.test?server=10.0.0.53:5353", [record]: "TXT" },
  ],
  ["dig acme.test -p5353 @fd00::53", { uri: "dns:acme.test?server=[fd00::53]:5353" }],
  ["dig @::1 acme.test AAAA", { uri: "dns:acme.test?type=AAAA&server=::1" }],
  ["dig -q acme.test ns +noall +answer", { uri: "dns:acme.test?type=NS" }],
  ["dig mx", { uri: "mx" }],
  [
    "dig IN A acme.test. +time=2 +tries=3",
    { uri: "dns:acme.test.?type=A", timeout: expect.stringMatching(/^2\ss$/), retry: "2" },
  ],
  ["kdig @10.0.0.53 acme.test CNAME", { uri: "dns:acme.test?server=10.0.0.53", [record]: "CNAME" }],
  ["drill -p 53 acme.test @10.0.0.53", { uri: "dns:acme.test?server=10.0.0.53" }],
  [
    "nslookup -type=mx acme.test 10.0.0.53",
    { uri: "dns:acme.test?server=10.0.0.53", [record]: "MX" },
  ],
  [
    "nslookup -port=5353 -q=txt -timeout=3 acme.test ns1.acme.test",
    {
      uri: "dns:acme.test?server=ns1.acme.test:5353",
      [record]: "TXT",
      timeout: expect.stringMatching(/^3\ss$/),
    },
  ],
  ["host -t mx acme.test", { uri: "acme.test", [record]: "MX" }],
  [
    "host -W 2 -R 1 acme.test 10.0.0.53",
    {
      uri: "dns:acme.test?server=10.0.0.53",
      timeout: expect.stringMatching(/^2\ss$/),
      retry: "1",
    },
  ],
])("%s is a DNS monitor, with nothing lost", (text, fields) => {
  expect(pastedMonitor(text)).toMatchObject({ kind: "dns", leftOut: [] });
  expect(fieldsOf(text)).toEqual(fields);
});

test.each([
  "dig acme.test A",
  "dig A acme.test",
  "dig acme.test a +short",
  "dig +nocmd acme.test IN A +noall +answer",
  "dig acme.test A IN",
  "dig -t A acme.test",
  "dig -ta -q acme.test",
  "kdig acme.test A",
  "drill acme.test A",
  "host -t a acme.test",
  "nslookup -type=a acme.test",
  "acme.test A",
  "acme.test IN A",
])("%s asks for the records of type A alone", (text) => {
  expect(pastedMonitor(text)).toMatchObject({ kind: "dns", leftOut: [] });
  expect(fieldsOf(text)).toEqual({ uri: "dns:acme.test?type=A" });
});

const types = "a check asks for A, AAAA, CNAME, MX, TXT or NS.";

test.each([
  [
    "dig +tcp acme.test MX",
    "+tcp is not taken over: a check asks over UDP, and over TCP if the answer is cut off.",
  ],
  ["dig acme.test SRV", `SRV is not taken over: ${types}`],
  ["host -t soa acme.test", `SOA is not taken over: ${types}`],
  ["dig +dnssec acme.test", "+dnssec is not taken over: a check has no such setting."],
  ["dig +norecurse acme.test", "+norecurse is not taken over: a check has no such setting."],
  ["dig acme.test MX TXT", "TXT is not taken over: a question has one type."],
  ["dig acme.test b.test", "b.test is not taken over: a monitor asks for one name."],
  ["dig CH acme.test", "CH is not taken over: a check asks in class IN."],
  [
    "dig -p 5353 acme.test",
    "-p 5353 is not taken over: a port needs a name server next to it, for example @10.0.0.53.",
  ],
  ["nslookup -vc acme.test", "-vc is not taken over: a check asks over UDP, and over TCP if the"],
])("%s says in one sentence what a check has nothing for", (text, words) => {
  expect(pastedMonitor(text)?.fields.get("uri")).toBe("acme.test");
  expect(leftOutOf(text)).toEqual([expect.stringContaining(words)]);
});

test("a question for addresses of one family says that only that one is asked for", () => {
  expect(pastedMonitor("dig acme.test AAAA")?.note).toBe("Only AAAA is asked for.");
  expect(pastedMonitor("acme.test A")?.note).toBe("Only A is asked for.");
  expect(pastedMonitor("dig acme.test")?.note).toBe("");
});

test.each([
  ["nc -zv db.test 5432", { uri: "db.test:5432" }],
  ["nc -w 3 db.test 22", { uri: "db.test:22", timeout: expect.stringMatching(/^3\ss$/) }],
  ["nc -zvw3 ::1 22", { uri: "[::1]:22", timeout: expect.stringMatching(/^3\ss$/) }],
  [
    "ncat --wait=500ms db.test 22",
    { uri: "db.test:22", timeout: expect.stringMatching(/^500\sms$/) },
  ],
  ["netcat -z -n 10.0.0.5 https", { uri: "10.0.0.5:443" }],
  ["telnet mail.test 25", { uri: "mail.test:25" }],
  ["telnet mail.test", { uri: "mail.test:23" }],
  ["telnet [2001:db8::1] smtp", { uri: "[2001:db8::1]:25" }],
  [
    "timeout 5 nc -z db.test 5432",
    { uri: "db.test:5432", timeout: expect.stringMatching(/^5\ss$/) },
  ],
])("%s is a TCP monitor, with nothing lost", (text, fields) => {
  expect(pastedMonitor(text)).toMatchObject({ kind: "tcp", leftOut: [] });
  expect(fieldsOf(text)).toEqual(fields);
});

test.each([
  ["nc -zvu 10.0.0.5 161", "-u is not taken over: a check of a port connects over TCP. For a name"],
  ["nc -zv 10.0.0.5 161-170", "Port 162 to 170 is not taken over: a monitor connects to one port."],
  ["nc -zv 10.0.0.5 161 443", "Port 443 is not taken over: a monitor connects to one port."],
  ["ncat --ssl 10.0.0.5 161", "--ssl is not taken over: a TCP check does not speak TLS."],
  ["nc -x 10.0.0.8:1080 10.0.0.5 161", "-x is not taken over: give the proxy to the agent in"],
])("%s connects to the port, and says what is not taken over", (text, words) => {
  expect(fieldsOf(text)).toEqual({ uri: "10.0.0.5:161" });
  expect(leftOutOf(text)).toEqual([expect.stringContaining(words)]);
});

test.each([
  ["ping router.test", { uri: "router.test" }],
  [
    "sudo ping -c 5 -i 0.2 -W 2 router.test",
    {
      uri: "router.test",
      packets: "5",
      interval: expect.stringMatching(/^200\sms$/),
      timeout: expect.stringMatching(/^2\ss$/),
    },
  ],
  ["ping -n 4 -w 1000 10.0.0.1", { packets: "4", timeout: expect.stringMatching(/^1\ss$/) }],
  ["ping6 -c1 fe80::1", { uri: "fe80::1", packets: "1" }],
])("%s is a ping monitor, with nothing lost", (text, fields) => {
  expect(pastedMonitor(text)).toMatchObject({ kind: "icmp", leftOut: [] });
  expect(fieldsOf(text)).toMatchObject(fields);
});

test("more packets than a check sends, and longer pauses, are named", () => {
  expect(leftOutOf("ping -c 100 -i 5 -f router.test")).toEqual([
    "-c 100 is not taken over: one check sends 1 to 20 packets.",
    expect.stringMatching(/^-i 5 is not taken over: packets are 10\sms to 1\ss apart\.$/),
    "-f is not taken over: a check has no such setting.",
  ]);
});

test.each([
  ["dig @10.0.0.53", "it needs a domain name, for example dig shop.example"],
  ["nslookup", "it needs a domain name, for example nslookup shop.example"],
  ["dig -x 10.0.0.1", "asks for the name of an address, which is a PTR record: a check asks for"],
  ["host 10.0.0.1", "asks for the name of an address"],
  ["nc -l 8080", "waits for a connection with -l: a check makes one"],
  ["nc db.test", "it needs a host and a port, for example nc db.test 5432"],
  ["nc db.test pgsql", "whose port is not known: write it as a number, for example nc db.test"],
  ["ping -c 3", "it needs a host, for example ping router.example"],
  ["grpcurl", "is an unfinished grpcurl command: it needs a host and a port"],
  ["dig 'acme.test", "is a dig command with a quote that does not end: close the quote"],
])("%s cannot be read, and says what it lacks", (text, words) => {
  expect(pastedMonitor(text)).toBeNull();
  expect(commandFault(text)).toContain(words);
});

test("a host may be called as a program is", () => {
  for (const name of ["host", "ping", "telnet"])
    expect(fieldsOf(name)).toEqual({ url: `https://${name}` });
});
