/** The examples of the help and the completion of shells fit the commands that exist. */
import { execFileSync } from 'node:child_process';
import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../cli/examples.ts';
import { makeProgram } from '../../cli/program.ts';
import { tollgate } from './command.ts';

function leavesOf(command: Command, name = ''): [string, Command][] {
  if (command.commands.length === 0) return [[name, command]];
  return command.commands.flatMap((each) => leavesOf(each, `${name} ${each.name()}`.trim()));
}
const leaves = new Map(leavesOf(makeProgram()));

/** Splits an example as a shell does. Ignores what follows `>`. */
const wordsOf = (line: string): string[] =>
  [...(line.split(' > ')[0] ?? '').matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );

describe('the help of every command', () => {
  it('has examples, and there are no others', () => {
    expect(Object.keys(EXAMPLES).toSorted()).toEqual([...leaves.keys()].toSorted());
  });

  it.each(Object.entries(EXAMPLES))(
    'shows examples that it would accept: %s',
    async (name, lines) => {
      const { stdout } = await tollgate([...name.split(' '), '--help']);
      for (const line of lines) {
        expect(stdout).toContain(`\n  tollgate ${line}\n`);
        const command = new Map(leavesOf(makeProgram())).get(name)!;
        const path = name.split(' ');
        const words = wordsOf(line);
        expect(words.slice(0, path.length)).toEqual(path);
        const { operands, unknown } = command.parseOptions(words.slice(path.length));
        expect(unknown).toEqual([]);
        expect(operands.length).toBeLessThanOrEqual(command.registeredArguments.length);
        const missing = command.options.filter((each) => each.mandatory);
        for (const option of missing)
          expect(command.getOptionValue(option.attributeName())).toBeDefined();
      }
    },
  );
});

describe('tollgate completion', () => {
  it.each([
    ['tollgate endp', 'endpoint'],
    ['tollgate endpoint dis', 'disable'],
    ['tollgate endpoint disable we_1 --j', '--json'],
    ['tollgate deliveries --st', '--state --starting-after'],
    ['tollgate endpoint disable we_1 --i', ''],
  ])('completes %s', async (line, expected) => {
    const { stdout } = await tollgate(['completion', 'bash']);
    const ask = `${stdout}\nCOMP_WORDS=(${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _tollgate; echo "\${COMPREPLY[*]}"`;
    expect(execFileSync('bash', ['-c', ask], { encoding: 'utf8' })).toBe(`${expected}\n`);
  });

  it.each(['zsh', 'fish'])('names every command for %s', async (shell) => {
    const { stdout } = await tollgate(['completion', shell]);
    for (const name of leaves.keys()) expect(stdout).toContain(name.split(' ').at(-1));
  });

  it('refuses an unknown shell', async () => {
    const { code, stderr } = await tollgate(['completion', 'tcsh']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^tollgate: .*bash, zsh, fish\.$/m)]);
  });
});
