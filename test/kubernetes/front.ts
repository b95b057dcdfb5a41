import { readFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import tls from "node:tls";

/**
 * What stands at the address where agents find the service: TLS by a certificate of the company's own, and passed on
 * to a port of the loopback interface. Beside it is a target that is always well.
 *
 * Arguments: address, certificate, key, the service's port.
 */
const [address = "", cert = "", key = "", port = ""] = process.argv.slice(2);

const front = tls.createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (outside) => {
  const inside = net.connect(Number(port), "127.0.0.1");
  outside.pipe(inside).pipe(outside);
  outside.on("error", () => inside.destroy());
  inside.on("error", () => outside.destroy());
});
front.listen(443, address);
http.createServer((_request, response) => response.end("well")).listen(8080, address);
