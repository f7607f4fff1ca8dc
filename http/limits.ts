/** Limits of a request and of a connection, the same for all three servers. */
import type { ServerOptions } from 'node:http';

/** The maximum length of a path with its query. Valid ones are much shorter. */
export const MAX_URI_LENGTH = 8 * 1024;
/** The maximum size of the request line and all headers. It is Node's default. */
const MAX_HEADER_BYTES = 16 * 1024;
/** The time for a client to send its headers. A slower one is broken or hostile. */
const HEADERS_TIMEOUT_MS = 10_000;
/** The time for a client to send a whole request: 64 KiB in 20 s are 26 kbit/s. */
const REQUEST_TIMEOUT_MS = 20_000;
/** The interval at which Node checks for requests that are too slow. */
const CHECK_EVERY_MS = 1_000;
/** The time that an idle connection is kept. Load balancers usually close after 60 s. */
const KEEP_ALIVE_MS = 65_000;

/** The options of `http.createServer`. */
export const serverOptions = {
  maxHeaderSize: MAX_HEADER_BYTES,
  headersTimeout: HEADERS_TIMEOUT_MS,
  requestTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: CHECK_EVERY_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  // Node would send an empty response. With `faultOfHead` the app sends its own.
  requireHostHeader: false,
} as const satisfies ServerOptions;

/** The limits of all connections of one server together. */
export const CONNECTION_BOUNDS = {
  /** Open connections: about 20 KB each. Load balancers and merchants need some hundreds. */
  connections: 1_000,
  /** The most requests sent before the previous response was read. Each takes about 5 KB. */
  pipelined: 5_000,
  /**
   * The time to take a whole response, except one that the app still writes, such as a download.
   * The longest page of 3 MB needs about 1 Mbit/s.
   */
  sendMs: 30_000,
  /**
   * A response that the app still writes goes on while the client takes `streamBytes` of it in this
   * time: 4 kbit/s. Kernels report what is taken in steps of up to a megabyte, so the time is long.
   */
  streamMs: 120_000,
  streamBytes: 64 * 1024,
  /** The most bytes of responses not taken yet: about 40 of the longest list pages. */
  unsentBytes: 128 * 1024 * 1024,
};

export type Bounds = Readonly<typeof CONNECTION_BOUNDS>;
