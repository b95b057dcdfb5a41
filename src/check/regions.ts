const codes = {
  hosta: "ams arn bom cdg dfw ewr fra gru iad jnb lax lhr nrt ord sjc sin syd yyz",
  hostb: "fra par sfo sin tyo was",
  hostc: "us-west2 us-east4 europe-west4 asia-southeast1",
};

/** The specification's regions, in the order of their numbers on the wire. */
export const regions: readonly string[] = Object.entries(codes).flatMap(([host, all]) =>
  all.split(" ").map((code) => `${host}-${code}`),
);

/** A region in its one spelling: §2.4 also writes the first host's codes bare. Null for a word that names none. */
export const regionOf = (word: string): string | null =>
  regions.find((region) => region === word || region === `hosta-${word}`) ?? null;
