/** The servers of a bare program, and its receiver. */
export interface Place {
  readonly address: string;
  readonly namespace: string;
  readonly mongoUri: string;
  readonly receiverUrl: string;
}

/** Reads the place from the first argument of this process. */
export const readPlace = (): Place => JSON.parse(process.argv[2] ?? '') as Place;
