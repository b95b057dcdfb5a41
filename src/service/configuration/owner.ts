/** What configuration as code says of an object in addition to the object. */
export interface OwnedObject {
  readonly id: number;
  /** Empty: made by a person or a tool. */
  readonly owner: string;
}

/** The owner of what files make that name none. It may not prune: two such folders would delete each other's objects. */
export const commonOwner = "files";
