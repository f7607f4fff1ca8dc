/** The dashboard. It has only a page that refers to the command line and the API. */
import Koa from 'koa';
import { checkHead } from '../http/refuse.ts';

const PAGE = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Tollgate dashboard</title>
<h1>Tollgate dashboard</h1>
<p>This version has no dashboard yet. Merchants and webhook endpoints are created with the
<code>tollgate</code> command; payments and events are read through the API.</p></html>
`;

/** Creates the Koa application. It has `/healthz` and one page at `/`. Any other path is 404. */
export function createDashboard(): Koa {
  const app = new Koa();
  app.use(checkHead);
  app.use((context) => {
    context.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'");
    if (context.path === '/healthz') context.body = 'ok\n';
    if (context.path !== '/') return;
    context.type = 'html';
    context.body = PAGE;
  });
  return app;
}
