/** The servers of a bare program, and its receivers. */
export interface Place {
  readonly address: string;
  readonly namespace: string;
  readonly mongoUri: string;
  readonly receivers: readonly string[];
}

/** Reads the place from the first argument of this process. */
export const readPlace = (): Place => JSON.parse(process.argv[2] ?? '') as Place;
