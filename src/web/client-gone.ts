import type { IncomingMessage } from "node:http";

/** Whether the client has hung up: what fails then is no fault of ours, and no one waits for an answer. */
export const isClientGone = ({ socket }: IncomingMessage): boolean => socket.destroyed;
