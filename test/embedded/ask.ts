// Sends a request as a page in a browser could: with any Host, any Origin and any body.
import { request } from 'node:http';

interface Question {
  port: number;
  address?: string;
  method?: string;
  path?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Buffer;
}

interface Reply {
  /** The status, or 0 if the server does not speak HTTP or does not respond in time. */
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  text: string;
}

/** Some servers wait for more input and never respond. All others respond at once. */
const LIMIT_MS = 2_000;

/** Sends a request and returns the response, if there is one. */
export function ask({ port, address = '127.0.0.1', body, ...options }: Question): Promise<Reply> {
  return new Promise((resolve) => {
    const nothing = { status: 0, headers: {}, text: '' };
    const asked = request({ host: address, port, agent: false, ...options }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const settle = () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      response.on('end', settle).on('error', settle);
    });
    asked.setTimeout(LIMIT_MS, () => asked.destroy());
    asked.on('error', () => resolve(nothing));
    asked.end(body);
  });
}
