/** A request to a receiver, and what came back. The caller brings the means to send. */

export interface Request {
  readonly method?: 'POST' | 'GET';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `Failure` is how the sender names the lack of a response. */
export interface Reply<Failure = string> {
  /** Null if there was no response. */
  readonly status: number | null;
  /** The reason why there was no response. */
  readonly error: Failure | null;
  /** The start of the response body. */
  readonly body: string;
  readonly durationMs: number;
}

/** Sends one request. Never throws. */
export type Send<Failure> = (request: Request) => Promise<Reply<Failure>>;

export const isAccepted = ({ status }: Pick<Reply, 'status'>): boolean =>
  status !== null && status >= 200 && status < 300;
