/** Serves a route handler of Next.js without Next.js: web Requests in, web Responses out. */
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { POST } from './next.mjs';

async function respond(incoming) {
  const { method, headers, url } = incoming;
  // Next.js responds with 405 if the file exports no such method.
  if (method !== 'POST') return new Response(null, { status: 405 });
  const init = { method, headers, body: Readable.toWeb(incoming), duplex: 'half' };
  return POST(new Request(`http://localhost${url}`, init));
}

const server = createServer((incoming, outgoing) => {
  void respond(incoming).then(({ status }) => outgoing.writeHead(status).end());
});
server.listen(Number(process.env.PORT));
