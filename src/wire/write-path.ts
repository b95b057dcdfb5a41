import { create } from "@bufbuild/protobuf";
import type { KnownPath, PathChange } from "#check/known-path";
import {
  type KnownPath as WirePath,
  KnownPathSchema,
  type PathChange as WireChange,
  PathChangeSchema,
} from "#contract/private_location/v1/private_location_pb";

/** A path as the wire and the agent's own file have it, with the monitors that use it. */
export const pathMessage = (path: KnownPath, monitorIds: readonly string[]): WirePath =>
  create(KnownPathSchema, {
    network: path.network,
    ...path.flow,
    hops: path.hops.map(
      ({ roundTrip, since, seenAt, times, silent, others, flippedAt, ...hop }) => ({
        ...hop,
        ...(roundTrip === null ? {} : { rttUs: BigInt(Math.round(roundTrip / 1e3)) }),
        since: BigInt(since),
        seenAt: BigInt(seenAt),
        times: BigInt(times),
        silent: BigInt(silent),
        others: others.map((one) => ({ address: one.address, seenAt: BigInt(one.seenAt) })),
        flippedAt: BigInt(flippedAt ?? 0),
      }),
    ),
    length: path.length ?? 0,
    tracedAt: BigInt(path.tracedAt),
    changes: path.changes.map(changeMessage),
    monitorIds: [...monitorIds],
  });

export const changeMessage = ({ kind, ttl, gone, came, before, at }: PathChange): WireChange =>
  create(PathChangeSchema, {
    kind,
    ttl,
    gone: gone ?? "",
    came: came ?? "",
    before: BigInt(before),
    at: BigInt(at),
  });

/** The same path for whoever shall not know the inside of the agent's network. */
export const pathWithoutAddresses = (path: KnownPath): KnownPath => ({
  ...path,
  network: "",
  flow: { ...path.flow, address: "", port: 0, sourcePort: 0 },
  hops: path.hops.map((hop) => ({
    ...hop,
    address: "",
    others: hop.others.map((one) => ({ ...one, address: "" })),
  })),
  changes: path.changes.map(changeWithoutAddresses),
});

const changeWithoutAddresses = (change: PathChange): PathChange => ({
  ...change,
  gone: null,
  came: null,
});
