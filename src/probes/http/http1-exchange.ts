import * as limits from "#limits/probes-limits";
import type { Connection } from "#probes/socket/connection";
import type { Line } from "#probes/socket/line";
import type { Mark, Marker } from "#probes/socket/marker";
import type { IncomingResponse } from "#probes/http/incoming-response";
import type { Request } from "#probes/resolve/redirect";
import { requestHead } from "#probes/http/request-lines";
import { ResponseParser } from "#network/http/response-parser";
import type { HttpNotes } from "#probes/resolve/transcript";

/** Sends a request over HTTP/1.1 and reads what comes into `answer`. The caller closes the connection. */
export function exchangeHttp1(
  request: Request,
  line: Line,
  marker: Marker,
  answer: IncomingResponse,
  notes: HttpNotes | null,
): Connection {
  let came: Mark | null = null;
  const mark = (): Mark => came ?? marker.observed();
  const parser = new ResponseParser(request.method, {
    onHeadBegan: () => answer.onHeadBegan(mark()),
    onInterim: (statusCode) => answer.onInterim(statusCode),
    onHead: (head, transferCodings) => answer.onHead({ ...head, transferCodings }, mark()),
    onBody: (bytes, from, to) => answer.onBody(bytes, from, to, mark()),
    onWhole: () => answer.onWhole(mark()),
  });
  const connection = line.listen(limits.http1TurnBytesMax, {
    onSent: (left) => answer.onSent(left),
    onBytes: (bytes, at) => {
      came = at;
      notes?.read(bytes);
      const fault = parser.push(bytes);
      if (fault !== null) answer.onFault(fault);
    },
    onEnd: () => {
      parser.end();
      answer.onBrokenOff("the connection was closed");
    },
    onError: (error) => answer.onError(error),
  });
  const head = Buffer.from(request.head ?? requestHead(request));
  const pieces = request.body === null ? [head] : [head, request.body];
  for (const piece of pieces) notes?.sent(piece);
  connection.write(...pieces);
  return connection;
}
