/** Whether a word names one of the specification's regions (service-interface.md §2.11). */
export const isRegion = (word: string): boolean => regions.has(word);

const regionCodes = {
  hosta: "ams arn bom cdg dfw ewr fra gru iad jnb lax lhr nrt ord sjc sin syd yyz",
  hostb: "fra par sfo sin tyo was",
  hostc: "us-west2 us-east4 europe-west4 asia-southeast1",
};

/** §2.4 also writes the first host's codes bare. */
const regions: ReadonlySet<string> = new Set([
  ...regionCodes.hosta.split(" "),
  ...Object.entries(regionCodes).flatMap(([host, codes]) =>
    codes.split(" ").map((code) => `${host}-${code}`),
  ),
]);
