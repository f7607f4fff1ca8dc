/** Serves a route handler of Next.js without Next.js: web Requests in, web Responses out. */
import { createServer } from 'node:http';
import { POST } from './next.mjs';

async function serve(incoming, outgoing) {
  const { method, headers, url } = incoming;
  const chunks = await incoming.toArray();
  const init = { method, headers: new Headers(headers), body: Buffer.concat(chunks) };
  const response = await POST(new Request(`http://localhost${url}`, init));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
}

const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
server.listen(Number(process.env.PORT));
