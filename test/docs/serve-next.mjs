/** Serves a route handler of Next.js without Next.js: web Requests in, web Responses out. */
import { createServer } from 'node:http';
import { POST } from './next.mjs';

async function answer(incoming) {
  const { method, headers, url } = incoming;
  // As Next.js: 405 where the file exports no such method, 500 and a line in the log for a throw.
  if (method !== 'POST') return new Response(null, { status: 405 });
  try {
    const chunks = await incoming.toArray();
    const init = { method, headers: new Headers(headers), body: Buffer.concat(chunks) };
    return await POST(new Request(`http://localhost${url}`, init));
  } catch (error) {
    console.error(error);
    return new Response(null, { status: 500 });
  }
}

async function serve(incoming, outgoing) {
  const response = await answer(incoming);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(await response.text());
}

const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
server.listen(Number(process.env.PORT));
