/** Code as HTML text: escaped, with the few colours that help the eye. */

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** The text as HTML shows it, also inside of an attribute in double quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (char) => ESCAPES[char] ?? char);
}

const JSON_TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?/g;
/** Comments that have a line to themselves: no grammar is needed to see those. */
const COMMENT_LINE = /^\s*(?:\/\/|#(?!!)|\/\*\*?|\*).*$/gm;

const mark = (kind: string, html: string): string => `<span class="t-${kind}">${html}</span>`;

/** The inside of `<pre><code>` for code of that language, as fences in Markdown name it. */
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
