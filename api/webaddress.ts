/** The URLs of merchants' pages, such as `return_url`. */
import { MAX_URL_LENGTH } from '../domain/endpoint.ts';
import { parseUrl } from '../domain/url.ts';

/** URL parsing strips these silently, so the result would differ from the text. */
const STRIPPED_BY_URL = /\p{Cc}|^\s|\s$/u;
/** URL parsing also accepts other slashes before the host, and drops an empty user name. */
const WITH_PLAIN_HOST = /^https?:\/\/[^\s/\\?#@]+(?:[/?#]|$)/i;

/** The limit of the encoded URL. The slash that is added after a bare host does not count. */
const MAX_HREF_LENGTH = MAX_URL_LENGTH + 1;

/** Returns the URL, or undefined unless it is http or https, without userinfo, and not too long. */
export function parseHttpUrl(text: string): URL | undefined {
  if (text.length > MAX_HREF_LENGTH || STRIPPED_BY_URL.test(text)) return undefined;
  const url = WITH_PLAIN_HOST.test(text) ? parseUrl(text) : undefined;
  if (!url || /[{}]/.test(url.host) || url.href.length > MAX_HREF_LENGTH) return undefined;
  return url;
}
