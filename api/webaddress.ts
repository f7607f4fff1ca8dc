/** The web addresses that merchants give us. */
import { MAX_URL_LENGTH } from '../domain/endpoint.ts';
import { parseUrl } from '../domain/url.ts';

/** WHATWG URLs lose these silently, so that the address would not be the one that was given. */
const STRIPPED_BY_URL = /\p{Cc}|^\s|\s$/u;
/** WHATWG URLs also accept other slashes before the host, and drop an empty user name. */
const WITH_PLAIN_HOST = /^https?:\/\/[^\s/\\?#@]+(?:[/?#]|$)/i;

/** The limit holds once everything is encoded; the slash that a bare host is given is not counted. */
const MAX_HREF_LENGTH = MAX_URL_LENGTH + 1;

/** The URL, if it is one of http or https without userinfo and not too long; else undefined. */
export function parseHttpUrl(text: string): URL | undefined {
  if (text.length > MAX_HREF_LENGTH || STRIPPED_BY_URL.test(text)) return undefined;
  const url = WITH_PLAIN_HOST.test(text) ? parseUrl(text) : undefined;
  if (!url || /[{}]/.test(url.host) || url.href.length > MAX_HREF_LENGTH) return undefined;
  return url;
}
