/** Bytes that are no packed results: they were damaged, or a newer version wrote them. The message says what is wrong. */
export class PackedFault extends Error {}
