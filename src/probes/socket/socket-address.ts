import { inet, inet6 } from "#probes/socket/linux-numbers";

/** The address in a struct sockaddr, as text; null if there is none. */
export function addressIn(view: DataView, at: number): string | null {
  switch (view.getUint16(at, true)) {
    case inet:
      return [4, 5, 6, 7].map((byte) => view.getUint8(at + byte)).join(".");
    case inet6: {
      const groups = Array.from({ length: 8 }, (_, index) =>
        view.getUint16(at + 8 + index * 2).toString(16),
      );
      // The URL Standard writes an address in its shortest form, as the dialled one is.
      return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
    }
    default:
      return null;
  }
}
