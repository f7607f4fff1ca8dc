/** Renders code as HTML, with colours for JSON and for comments. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Escapes text for HTML, including attributes in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (char) => ESCAPES[char] ?? char);
}

const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?/g;
/** A comment on a line of its own, which is found without a parser. */
const COMMENT_LINE = /^\s*(?:\/\/|#(?!!)|\/\*\*?|\*).*$/gm;

const mark = (kind: string, html: string): string => `<span class="t-${kind}">${html}</span>`;

/** Returns code as HTML. `language` is as in a fence of Markdown. */
export function codeHtml(text: string, language = ''): string {
  if (language === 'json') return jsonHtml(text);
  if (language === '') return escapeHtml(text);
  return escapeHtml(text).replaceAll(COMMENT_LINE, (line) => mark('comment', line));
}

function jsonHtml(text: string): string {
  let html = '';
  let end = 0;
  for (const { 0: token, 1: quoted, 2: colon, index } of text.matchAll(JSON_TOKEN)) {
    html += escapeHtml(text.slice(end, index));
    end = index + token.length;
    if (quoted === undefined) html += mark('value', token);
    else if (colon === undefined) html += mark('text', escapeHtml(quoted));
    else html += mark('key', escapeHtml(quoted)) + colon;
  }
  return html + escapeHtml(text.slice(end));
}
