import type { BatchResult } from "#contract/private_location/v1/private_location_pb";
import type { Monitor } from "#check/monitor";
import type { ServiceError } from "#transport/control-plane";

/**
 * The push channel of a service: it only saves waiting for the next poll or heartbeat, so it may be lost, refused or
 * silent at any time.
 */
export interface Watch {
  /** Connects and listens until the connection ends or `signal` aborts; gives why it ended, and never rejects. */
  attend(listener: WatchListener, signal: AbortSignal): Promise<ServiceError>;
}

export interface WatchListener {
  /** The service took the connection. */
  opened(): void;
  pushed(message: PushMessage): void;
}

/** What a service pushes. */
export type PushMessage =
  | { readonly kind: "changed"; readonly revision: string }
  | {
      readonly kind: "check_now";
      readonly asked: AskedCheck;
      /** Answers on the same connection; does nothing once that has ended. */
      readonly answer: (answer: CheckNowAnswer) => void;
    }
  /** The service is about to stop. */
  | { readonly kind: "drain" };

/** Which check a person asks for: of a monitor that is assigned, or of one that is not saved. */
export type AskedCheck =
  | { readonly of: "assigned"; readonly monitorId: string }
  /** Null: this agent cannot read it, or does not know its kind. */
  | { readonly of: "trial"; readonly monitor: Monitor | null };

/** A result in the words of the wire, or a sentence that says why there is none. */
export type CheckNowAnswer =
  | { readonly ran: true; readonly result: BatchResult }
  | { readonly ran: false; readonly error: string };
