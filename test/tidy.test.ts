import { describe, expect, it } from 'vitest';
import { ENTRIES, OWNERS, TOOLS } from './tidy/exceptions.ts';
import { ROOMS } from './tidy/rooms.ts';
import type { Room } from './tidy/rooms.ts';
import {
  functionsOf,
  importsOf,
  isCode,
  parametersOf,
  reachedFrom,
  readSources,
} from './tidy/source.ts';
import type { Import, Source } from './tidy/source.ts';
import { BY_PROGRAM, TWINS, WITH_TWINS } from './tidy/twins.ts';

const MAX_FILE_LINES = 250;
const MAX_FUNCTION_LINES = 70;
const MAX_COLUMNS = 100;
const MAX_PARAMETERS = 3;

/** Code that merchants copy into their own programs, which have other packages and settings. */
const PASTED = ['docs/receivers/', 'docs/browsers/'];

const sources = readSources();
const code = sources.filter(isCode);
const NOT_SHIPPED = ['test/', 'bench/', 'deploy/', ...TOOLS, ...PASTED];
const program = code.filter(({ path }) => !isIn(path, NOT_SHIPPED));
const paths = new Set(sources.map(({ path }) => path));
const manifest = JSON.parse(textOf('package.json')) as Record<string, Record<string, string>>;
const { files: programs } = JSON.parse(textOf('tsconfig.build.json')) as { files: string[] };

function textOf(path: string): string {
  return sources.find((source) => source.path === path)?.text ?? '';
}

/** Returns true if the path is one of these files or in one of these folders. */
function isIn(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));
}

const isNamed = (name: string, list: readonly string[]): boolean =>
  list.some((each) => (each.endsWith(':') ? name.startsWith(each) : name === each));

/** Returns a sentence for each line that matches the pattern. */
function linesWith(files: readonly Source[], pattern: RegExp, instead: string): string[] {
  return files.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) =>
      pattern.test(line) ? [`${path}:${index + 1}: ${line.trim().slice(0, 60)}: ${instead}`] : [],
    ),
  );
}

function roomOf(path: string): [string, Room] | undefined {
  return Object.entries(ROOMS).find(([place]) => isIn(path, [place]));
}

function mayImport(room: Room, { target, isOurs, isTypeOnly }: Import): boolean {
  if (!isOurs) return room.packages === undefined || isNamed(target, room.packages);
  return isIn(target, room.ours) || (isTypeOnly && isIn(target, room.types ?? []));
}

describe('rooms', () => {
  it('are all in the table', () => {
    const homeless = program.filter(({ path }) => !roomOf(path) && !isIn(path, ENTRIES));
    const faults = homeless.map(({ path }) => `${path}: put it into a room of test/tidy/rooms.ts`);
    expect(faults).toEqual([]);
  });

  it('import only what the table allows', () => {
    const wrong = program.flatMap((source) => {
      const [place, room] = roomOf(source.path) ?? [];
      if (!place || !room || isIn(source.path, ENTRIES)) return [];
      const reached = importsOf(source).filter((found) => !mayImport(room, found));
      return reached.map(
        ({ target }) => `${source.path} imports ${target}, which ${place} may not: ${room.instead}`,
      );
    });
    expect(wrong).toEqual([]);
  });

  it('import no package that another room owns', () => {
    const wrong = program.flatMap((source) =>
      importsOf(source)
        .filter(
          ({ target, isOurs }) => !isOurs && !isIn(source.path, OWNERS[target] ?? [source.path]),
        )
        .map(({ target }) => {
          const owners = (OWNERS[target] ?? []).join(', ');
          return `${source.path} imports ${target}: only ${owners} may; call those instead`;
        }),
    );
    expect(wrong).toEqual([]);
  });

  it('import only packages that an installation of them has', () => {
    const shipped = Object.keys(manifest['dependencies'] ?? {});
    const known = [...shipped, ...Object.keys(manifest['devDependencies'] ?? {}), 'node:'];
    const built = reachedFrom(programs, sources);
    expect(built).toContain('workflows/messages.ts');
    const ours = code.filter(({ path }) => !isIn(path, PASTED));
    const wrong = ours.flatMap((source) => {
      const allowed = built.has(source.path) ? [...shipped, 'node:'] : known;
      const found = importsOf(source).filter(
        ({ target, isOurs, isTypeOnly }) =>
          !isOurs && !isNamed(target, isTypeOnly ? known : allowed),
      );
      return found.map(({ target }) => `${source.path}: add ${target} to package.json`);
    });
    expect(wrong).toEqual([]);
  });

  it('have specific names', () => {
    const vague = /(?:^|\/)(?:src|lib|utils|helpers|common|services|types)\//;
    const wrong = sources.filter(({ path }) => vague.test(path));
    expect(wrong.map(({ path }) => `${path}: name the folder after what it is about`)).toEqual([]);
  });
});

describe('sizes', () => {
  it(`files have at most ${MAX_FILE_LINES} lines`, () => {
    const long = code.filter(({ lines }) => lines.length > MAX_FILE_LINES);
    const faults = long.map(
      ({ path, lines }) => `${path} has ${lines.length}: split it by subject`,
    );
    expect(faults).toEqual([]);
  });

  it(`functions have at most ${MAX_FUNCTION_LINES} lines without inner functions`, () => {
    const long = code.flatMap((source) =>
      functionsOf(source)
        .filter(({ ownLines }) => ownLines > MAX_FUNCTION_LINES)
        .map(({ name, line, ownLines }) => {
          return `${source.path}:${line}: ${name} has ${ownLines}: split it into named functions`;
        }),
    );
    expect(long).toEqual([]);
  });

  it(`lines have at most ${MAX_COLUMNS} columns outside quotes`, () => {
    const quoted = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`|\/(?:[^/\\]|\\.)+\/[gimsuy]*/g;
    const long = code.flatMap(({ path, lines }) =>
      lines.flatMap((line, index) => {
        const columns = Array.from(line.replaceAll(quoted, "''")).length;
        return columns > MAX_COLUMNS ? [`${path}:${index + 1} has ${columns}: break the line`] : [];
      }),
    );
    expect(long).toEqual([]);
  });

  it(`functions have at most ${MAX_PARAMETERS} parameters`, () => {
    const many = code.flatMap((source) =>
      parametersOf(source)
        .filter(({ count }) => count > MAX_PARAMETERS)
        .map(({ name, count }) => `${source.path}: ${name} has ${count}: pass an object`),
    );
    expect(many).toEqual([]);
  });
});

describe('habits', () => {
  const tools = ['vitest.config.mjs', 'test/support/setup.mjs'];
  const notTools = code.filter(({ path }) => !isIn(path, [...tools, 'test/support/reporter.mjs']));
  const prose = sources.filter(({ path }) => !path.startsWith('test/tidy'));

  it('only config.ts reads the environment', () => {
    const others = program.filter(({ path }) => path !== 'config.ts');
    const instead = 'let config.ts read it, and take it as an argument';
    expect(linesWith(others, /\bprocess\.env\b/, instead)).toEqual([]);
  });

  it('no code changes or deletes audit entries', () => {
    const own = 'store/audit.ts';
    const named = /\bauditEntries\b/;
    const definitions = /^(?:readonly )?auditEntries: (?:Collection<|'audit',|db\.|\[)/;
    const uses = program.flatMap(({ path, lines }) =>
      lines.filter((line) => named.test(line)).map((line) => `${path}: ${line.trim()}`),
    );
    expect(uses.filter((use) => !definitions.test(use.replace(/^\S+ /, '')))).toEqual([
      `${own}: await mongo.auditEntries.insertOne(entry, { session });`,
      `${own}: return readAnyPage(mongo.auditEntries, { filter, limit, startingAfter, ids: { from } });`,
    ]);
  });

  it('no file has a default export', () => {
    expect(linesWith(notTools, /^export default/, 'export it by its name')).toEqual([]);
  });

  it('no code has any, enum or ts-ignore', () => {
    const escapes = /^(?!\s*(?:\/\/|\*|\/\*)).*(?:\bas any\b|: any\b|<any>)|@ts-(?:ignore|nocheck)/;
    const typed = program.filter(({ path }) => /\.tsx?$/.test(path));
    expect(linesWith(typed, escapes, 'declare the real type, or unknown')).toEqual([]);
    const enums = /^\s*(?:export )?(?:declare )?(?:const )?enum\s/;
    expect(linesWith(typed, enums, 'use a union of strings')).toEqual([]);
  });

  it('no text has a TODO', () => {
    const later = /\b(?:TODO|FIXME|XXX)\b/;
    expect(linesWith(prose, later, 'do it now, or write an issue')).toEqual([]);
  });

  it('no file has a path of one machine', () => {
    const machine = /(?:^|[\s'"`(=])(?:\/(?:work|root|home|Users)\/\w|[A-Z]:\\)/;
    expect(linesWith(prose, machine, 'use a path from the project or a variable')).toEqual([]);
  });

  it('only the command line writes to the console', () => {
    const silent = program.filter(({ path }) => !isIn(path, ['cli/', 'start.ts']));
    expect(linesWith(silent, /^(?! *`).*\bconsole\.\w+\(/, 'write to the log')).toEqual([]);
  });

  it('versions of packages are exact', () => {
    const all = { ...manifest['dependencies'], ...manifest['devDependencies'] };
    const loose = Object.entries(all).filter(([, version]) => !/^\d+\.\d+\.\d+\S*$/.test(version));
    expect(loose.map(([name, version]) => `${name} ${version}: name one version`)).toEqual([]);
  });
});

const twinOf = (path: string): string => `test/${path.replace(/\.tsx?$/, '.test.ts')}`;
const hasTwin = (path: string): boolean => paths.has(twinOf(path)) || paths.has(`${twinOf(path)}x`);

const isDeclared = (path: string): boolean => isIn(path, Object.keys(TWINS));

describe('tests', () => {
  const tested = program.filter(({ path }) => /\.tsx?$/.test(path));

  it('exist for each file of the rooms with twins', () => {
    const orphans = tested
      .filter(({ path }) => isIn(path, WITH_TWINS) && !hasTwin(path) && !isDeclared(path))
      .map(({ path }) => `${path}: write ${twinOf(path)}, or declare its test in tidy/twins.ts`);
    expect(orphans).toEqual([]);
  });

  it('have no needless or broken declaration', () => {
    const wrong = Object.entries(TWINS).flatMap(([path, { test }]) => [
      ...(sources.some((source) => isIn(source.path, [path]))
        ? []
        : [`${path} is gone: remove it from tidy/twins.ts`]),
      ...(hasTwin(path) ? [`${path} has its twin: remove it from tidy/twins.ts`] : []),
      ...(paths.has(test) ? [] : [`${test} is declared for ${path}: write it`]),
    ]);
    expect(wrong).toEqual([]);
  });

  it('exist for every room that is tested through its program', () => {
    const untested = Object.entries(BY_PROGRAM).filter(
      ([, folder]) => !code.some(({ path }) => path.startsWith(folder) && path.includes('.test.')),
    );
    expect(untested.map(([room, folder]) => `${room}: write a test in ${folder}`)).toEqual([]);
  });
});
