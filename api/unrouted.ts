/** Refuses requests without a route, and suggests the path that was probably meant. */
import type { RouterContext } from '@koa/router';
import { nearest } from '../operations/names.ts';
import { Refusal } from '../operations/refusal.ts';
import type { ApiState } from './call.ts';
import { pathForLog } from './errors.ts';
import { ROUTES } from './routes.ts';

/** What people put before the name of a collection. All our paths have `v1` there. */
const PREFIX = /^(?:api|v\d+)$/i;

/** The parts of each path after `v1`. */
const PATHS = [...new Set(ROUTES.map(([, path]) => path))].map((path) => path.split('/').slice(2));

/** Refuses a request without a route: its path or its method is unknown. */
export function refuseUnrouted({ matched, method, path }: RouterContext<ApiState>): void {
  const allowed = new Set((matched ?? []).flatMap(({ methods }) => methods));
  if (allowed.size === 0) throw new Refusal('route_missing', { message: messageOf(path) });
  const methods = [...allowed].filter((each) => each !== 'HEAD').join(' or ');
  throw new Refusal('method_not_allowed', {
    message: `${method} is not allowed here. Use ${methods}.`,
    headers: { Allow: [...allowed].join(', ') },
  });
}

function messageOf(path: string): string {
  // Other paths may have a key or a card number in them.
  const shown = pathForLog(path) === path ? path : 'This';
  const near = nearestPath(path);
  const advice = near === undefined ? 'GET /docs lists all paths.' : `Did you mean ${near}?`;
  return `${shown} is not a path of this API. ${advice}`;
}

/** Returns the path of a route that is like this one, or like its end; undefined if none is. */
function nearestPath(path: string): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && !PREFIX.test(part));
  const near = pathLike(parts) ?? pathLike(parts.slice(-1));
  return near && `/v1/${near.join('/').replace(':id', '{id}')}`;
}

const pathLike = (parts: readonly string[]): readonly string[] | undefined =>
  PATHS.find(
    (path) =>
      path.length === parts.length &&
      path.every((word, index) => word === ':id' || nearest(parts[index] ?? '', [word]) === word),
  );
