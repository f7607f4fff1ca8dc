/** Reads the project's files, and their imports and functions without a compiler. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const TEXT = /\.(?:ts|tsx|mts|mjs|js|json|md|ya?ml|css|txt|svg|html)$|^[^.]+$|^\.[\w.]+$/;
const CODE = /\.(?:ts|tsx|mts|mjs|js)$/;

export interface Source {
  /** From the project's root, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
}

export interface Import {
  /** A path from the project's root, or the name of a package, such as `node:fs`. */
  readonly target: string;
  readonly isOurs: boolean;
  readonly isTypeOnly: boolean;
}

export interface FunctionPlace {
  readonly name: string;
  readonly line: number;
  /** Without inner functions, which are counted separately. */
  readonly ownLines: number;
}

/** Returns every text file that git does not ignore. */
export function readSources(): Source[] {
  // git refuses the checkout of another user, such as a container's volume, without this.
  const trusting = ['-c', 'safe.directory=*'];
  const args = [...trusting, 'ls-files', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: PROJECT, encoding: 'utf8' }).split('\n');
  const ours = listed.filter((name) => TEXT.test(path.basename(name)) && !name.includes('assets/'));
  const present = ours.filter((name) => name !== '' && existsSync(path.join(PROJECT, name)));
  return present
    .filter((name) => name !== 'package-lock.json')
    .map((name) => {
      const text = readFileSync(path.join(PROJECT, name), 'utf8');
      return { path: name, text, lines: text.replace(/\n$/, '').split('\n') };
    });
}

export const isCode = (source: Source): boolean => CODE.test(source.path);

const STATEMENT = /^(?:import|export)\s+([^;'"]*?)\bfrom\s+'([^']+)'/gm;
const SIDE_EFFECT = /^import\s+'([^']+)'/gm;
/** Matches types in comments, which editors read. They are not imports. */
const COMMENT = /^\s*(?:\/\*\*|\*|\/\/).*$/gm;
const DYNAMIC = /\bimport\(\s*'([^']+)'/g;

/** Returns the imports and re-exports of a file. */
export function importsOf({ path: file, text }: Source): Import[] {
  const bare = text.replaceAll(COMMENT, '');
  const found = [...bare.matchAll(STATEMENT)].map(([, clause = '', target = '']) => ({
    target,
    isTypeOnly: isTypes(clause.trim()),
  }));
  const others = [...bare.matchAll(SIDE_EFFECT), ...bare.matchAll(DYNAMIC)];
  const whole = others.map(([, target = '']) => ({ target, isTypeOnly: false }));
  return [...found, ...whole].map(({ target, isTypeOnly }) => {
    const isOurs = target.startsWith('.');
    const resolved = isOurs ? path.posix.join(path.posix.dirname(file), target) : packageOf(target);
    return { target: resolved, isOurs, isTypeOnly };
  });
}

/** Returns the paths of the files that a program needs when it runs, which begins at `entries`. */
export function reachedFrom(entries: readonly string[], sources: readonly Source[]): Set<string> {
  const byPath = new Map(sources.map((source) => [source.path, source]));
  const reached = new Set<string>();
  const waiting = [...entries];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const source = byPath.get(next);
    if (source === undefined || reached.has(next)) continue;
    reached.add(next);
    const loaded = importsOf(source).filter(({ isOurs, isTypeOnly }) => isOurs && !isTypeOnly);
    waiting.push(...loaded.map(({ target }) => target));
  }
  return reached;
}

/** Returns true for `type { A }`, and for braces in which every name has `type`. */
function isTypes(clause: string): boolean {
  if (clause.startsWith('type ')) return true;
  if (!clause.startsWith('{')) return false;
  const names = clause.replaceAll(/[{}]/g, '').split(',');
  return names.every((name) => name.trim() === '' || name.trim().startsWith('type '));
}

function packageOf(target: string): string {
  if (target.startsWith('node:')) return target;
  return target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
}

const HEADS = [
  /^( *)(?:export )?(?:async )?function\*? (\w+)/,
  /^( *)(?:export )?const (\w+) = (?:async )?(?:\(|<).*(?:\{|\()$/,
  /^( +)(?:private |static |async |get |set )*(?!if|for|while|switch|catch|return|await)#?(\w+)\(/,
];

/** Returns every function with a block. It relies on prettier's layout. */
export function functionsOf({ lines }: Source): FunctionPlace[] {
  const blocks = lines.flatMap((line, index) => {
    const head = HEADS.map((form) => form.exec(line)).find((match) => match !== null);
    const [, indent = '', name = ''] = head ?? [];
    const end = head ? endOfBlock(lines, index, indent) : undefined;
    return end === undefined ? [] : [{ name, start: index, end }];
  });
  return blocks.map(({ name, start, end }) => {
    const inside = blocks.filter((other) => other.start > start && other.end < end);
    const outermost = inside.filter(
      (block) => !inside.some((other) => other.start < block.start && other.end > block.end),
    );
    const nested = outermost.reduce((sum, block) => sum + block.end - block.start + 1, 0);
    return { name, line: start + 1, ownLines: end - start + 1 - nested };
  });
}

/** Returns the last line of the function; undefined if it is a call, or has no block. */
function endOfBlock(lines: readonly string[], start: number, indent: string): number | undefined {
  const opens = new RegExp(`^${indent}\\S.*\\{$`);
  const closes = new RegExp(`^${indent}[})\\]]`);
  let line = start;
  while (line < lines.length && !opens.test(lines[line] ?? '')) {
    if (line > start && closes.test(lines[line] ?? '')) return undefined;
    if (line === start && !(lines[line] ?? '').endsWith('(')) return undefined;
    line += 1;
  }
  for (let end = line + 1; end < lines.length; end += 1) {
    const text = lines[end] ?? '';
    if (new RegExp(`^${indent}\\}[;,)]*$`).test(text)) return end;
  }
  return undefined;
}

const OPENING = '([{<';
const CLOSING = ')]}>';

/** Returns the number of parameters of each top-level function. */
export function parametersOf({ text }: Source): { name: string; count: number }[] {
  const heads = [...text.matchAll(/^(?:export )?(?:async )?function\*? (\w+)(?:<[^(]*>)?\(/gm)];
  return heads.map(({ 0: head, 1: name = '', index }) => {
    let depth = 1;
    let count = 0;
    let isEmpty = true;
    for (let at = index + head.length; depth > 0 && at < text.length; at += 1) {
      const char = text.charAt(at);
      const isArrow = char === '>' && text.charAt(at - 1) === '=';
      if (OPENING.includes(char)) depth += 1;
      else if (CLOSING.includes(char) && !isArrow) depth -= 1;
      else if (char === ',' && depth === 1) {
        count += 1;
        isEmpty = true;
        continue;
      }
      if (depth > 0 && char.trim() !== '') isEmpty = false;
    }
    return { name, count: isEmpty ? count : count + 1 };
  });
}
