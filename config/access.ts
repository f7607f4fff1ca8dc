/** The variables of the commands for a merchant's developer. */
import { str } from 'envalid';
import { url } from './text.ts';

export const ACCESS_SPECS = {
  TOLLGATE_API_URL: url({ default: 'http://localhost:8080' }),
  TOLLGATE_API_KEY: str({ default: undefined }),
  TOLLGATE_WEBHOOK_SECRET: str({ default: undefined }),
};
