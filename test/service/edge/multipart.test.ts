import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { pageIconBytesMax } from "#limits/status-limits";
import { type FormPart, partsIn } from "#service/edge/multipart";

/** Sends a body in pieces over a real connection; what is read of it. */
async function partsOf(
  pieces: readonly (string | Uint8Array)[],
  type = "multipart/form-data; boundary=b",
): Promise<readonly FormPart[] | null> {
  const read = Promise.withResolvers<readonly FormPart[] | null>();
  const server = createServer((request, response) => {
    partsIn(request)
      .then((parts) => response.end("", () => read.resolve(parts)))
      .catch(read.reject);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  const address = server.address();
  const { port }: Pick<AddressInfo, "port"> =
    address === null || typeof address === "string" ? { port: 0 } : address;
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {}).resume();
  const length = pieces.reduce((sum, one) => sum + Buffer.from(one).length, 0);
  socket.write(
    `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`,
  );
  for (const piece of pieces) await new Promise((done) => void socket.write(piece, done));
  return read.promise;
}

const field = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const shown = (parts: readonly FormPart[] | null): unknown =>
  parts?.map(({ name, file, bytes, isCut }) => [name, file, bytes.toString("latin1"), isCut]) ??
  null;

const body = `${field("icon", "a\r\n--c\r\n")}${field("empty", "")}--b\r\nContent-Disposition: form-data; name="f"; filename="a;b.png"\r\nContent-Type: image/png\r\n\r\n\x00\r\n-\r\n--b--\r\n`;
const whole = [
  ["icon", null, "a\r\n--c\r\n", false],
  ["empty", null, "", false],
  ["f", "a;b.png", "\x00\r\n-", false],
];

test("fields and files are read as they were sent, in whatever pieces they come", async () => {
  expect(shown(await partsOf([body]))).toEqual(whole);
  expect(shown(await partsOf(body.split(/(?=.)/s)))).toEqual(whole);
});

test("a part that has no name is left out", async () => {
  const nameless = [
    "--b\r\nContent-Type: a/b\r\n\r\n1\r\n",
    "--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n",
    '--b\r\nContent-Disposition: form-data; filename="x"\r\n\r\n1\r\n',
  ].join("");
  expect(shown(await partsOf([nameless, field("a", "1"), "--b--"]))).toEqual([
    ["a", null, "1", false],
  ]);
});

test("of a file that is too long a part is kept, which is said, and what follows is read", async () => {
  const file = '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n';
  const long = new Uint8Array(3 * pageIconBytesMax);
  const parts = await partsOf([file, long, "\r\n", field("after", "1"), "--b--"]);
  expect(parts?.map(({ name, bytes, isCut }) => [name, bytes.length, isCut])).toEqual([
    ["after", 1, false],
    ["f", pageIconBytesMax, true],
  ]);
});

test("a body that ends before its last mark is refused, wherever it ends", async () => {
  const most = body.length - "--\r\n".length;
  const ends = Array.from({ length: most }, (_, length) => body.slice(0, length));
  const read = await Promise.all(ends.map((end) => partsOf([end])));
  expect(read.filter((parts) => parts !== null)).toEqual([]);
});

test.each([
  ["without its last mark", [field("a", "1")], undefined],
  ["with a head that is too long", [`--b\r\nX: ${"x".repeat(3_000)}`], undefined],
  [
    "with more files than a form has",
    ["f", "g", "h"].map(
      (name) => `--b\r\nContent-Disposition: form-data; name="${name}"; filename="x"\r\n\r\n1\r\n`,
    ),
    undefined,
  ],
  [
    "with fields that are too long together",
    ["a", "b", "c"].map((one) => field(one, "1".repeat(50_000))),
    undefined,
  ],
  ["with too many parts", [...Array(200).keys()].map((one) => field(`a${one}`, "1")), undefined],
  ["without a mark", [body], "multipart/form-data"],
] as const)("a body %s is no form", async (_what, pieces, type) => {
  expect(await partsOf(pieces, type)).toBeNull();
});
