/** The signing secret of `listen`, which stays the same between starts. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeWebhookSecret } from '../outbound/sign.ts';
import { invalid } from './refusals.ts';

/** An API, and the key that names the merchant there. */
interface Owner {
  readonly apiUrl: string;
  readonly apiKey: string;
}

interface Kept {
  readonly secret: string;
  /** The file that has it, or the reason why it is not kept. */
  readonly place: string;
}

const NAME_CHARACTERS = 16;
const SECRET = /^whsec_[\w+/-]+={0,2}$/;

/**
 * Returns the owner's secret from a file in the folder. Creates both if they do not exist. Of
 * several processes that create it at once, all get the same secret. If the file cannot be written,
 * returns a secret for this start. Throws `Refusal` if the file has something else.
 */
export function keepSecret(folder: string, { apiUrl, apiKey }: Owner): Kept {
  const name = createHash('sha256').update(`${apiUrl}\n${apiKey}`).digest('hex');
  const file = path.join(folder, `listen-${name.slice(0, NAME_CHARACTERS)}.secret`);
  const fresh = makeWebhookSecret();
  try {
    if (!existsSync(file)) create(file, fresh);
    const secret = readFileSync(file, 'utf8').trim();
    if (SECRET.test(secret)) return { secret, place: `kept in ${file}` };
  } catch (error) {
    return { secret: fresh, place: `only until it stops: ${(error as Error).message}` };
  }
  throw invalid('secret', `${file} has no signing secret. Delete it, or give --secret.`);
}

/** Creates the whole file, readable by its owner only, unless another process was faster. */
function create(file: string, secret: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const own = `${file}.${randomBytes(4).toString('hex')}`;
  writeFileSync(own, `${secret}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(own, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(own);
  }
}
