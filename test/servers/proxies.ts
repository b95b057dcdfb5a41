import net from "node:net";
import { onRequestHead, type Script, type Scripted, tcpPeer } from "./scripted.ts";

export const established = "HTTP/1.1 200 Connection established\r\n\r\n";

/** A proxy that opens every tunnel it is asked for, and keeps what it was asked. */
export async function openProxy(
  head: string = established,
): Promise<Scripted & { readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const peer = await tcpPeer(tunnels(asked, head));
  return {
    asked,
    port: peer.port,
    get accepted() {
      return peer.accepted;
    },
    [Symbol.asyncDispose]: () => peer[Symbol.asyncDispose](),
  };
}

/** Connects to 127.0.0.1 at the port that was asked for, whatever the host was, and passes everything on. */
export const tunnels =
  (asked: string[], head: string = established): Script =>
  (socket) =>
    onRequestHead(socket, (question) => {
      asked.push(question);
      const target = net.connect(portIn(question), "127.0.0.1");
      target.on("error", () => socket.destroy());
      target.on("close", () => socket.destroySoon());
      socket.on("close", () => target.destroy());
      socket.write(head);
      socket.pipe(target).pipe(socket);
    });

/** Passes the head on in one piece with the first bytes of the target, as a fast proxy does. */
export const tunnelsInOnePiece: Script = (socket) =>
  onRequestHead(socket, (question) => {
    const target = net.connect(portIn(question), "127.0.0.1");
    target.once("data", (first: Buffer) => {
      socket.write(Buffer.concat([Buffer.from(established), first]));
      socket.pipe(target).pipe(socket);
    });
    target.on("error", () => socket.destroy());
    socket.on("close", () => target.destroy());
  });

const portIn = (question: string): number => Number(/^CONNECT \S*:(\d+) /.exec(question)?.[1] ?? 0);
