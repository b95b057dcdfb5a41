import {
  type Metadata,
  Server,
  ServerCredentials,
  type ServerUnaryCall,
  type sendUnaryData,
} from "@grpc/grpc-js";

/** What a health service answers: a serving status by its number, or an error of the call. */
export type HealthReply = number | { readonly code: number; readonly details: string };

export interface GrpcServer extends AsyncDisposable {
  readonly port: number;
  /** The metadata of each call, in its order. */
  readonly calls: readonly Metadata[];
}

interface ServerIdentity {
  readonly key: string;
  readonly cert: string;
}

/** A real server of grpc-js, with the health service of these services, or with none; a name that is not here is unknown to it. */
export async function grpcServer(
  services: Readonly<Record<string, HealthReply>> | null,
  identity: ServerIdentity | null = null,
): Promise<GrpcServer> {
  const server = new Server();
  const calls: Metadata[] = [];
  if (services !== null)
    server.addService(healthService, {
      Check: (call: ServerUnaryCall<Buffer, Buffer>, reply: sendUnaryData<Buffer>) => {
        calls.push(call.metadata);
        // The request is its one field: a tag, a length, the name.
        const name = call.request.subarray(call.request.length > 129 ? 3 : 2).toString();
        const answer = services[name] ?? { code: 5, details: "unknown service" };
        if (typeof answer === "number") reply(null, Buffer.from([8, answer]));
        else reply(answer);
      },
    });
  const port = await bound(server, identity);
  return {
    port,
    calls,
    [Symbol.asyncDispose]: async () => server.forceShutdown(),
  };
}

const bytes = (value: Buffer): Buffer => value;

const healthService = {
  Check: {
    path: "/grpc.health.v1.Health/Check",
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  },
};

function bound(server: Server, identity: ServerIdentity | null): Promise<number> {
  const credentials =
    identity === null
      ? ServerCredentials.createInsecure()
      : ServerCredentials.createSsl(null, [
          { private_key: Buffer.from(identity.key), cert_chain: Buffer.from(identity.cert) },
        ]);
  return new Promise((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", credentials, (error, port) => {
      if (error === null) resolve(port);
      else reject(error);
    });
  });
}
