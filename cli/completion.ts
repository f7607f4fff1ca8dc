/** `tollgate completion`: a script that completes commands and options in a shell. */
import type { Command } from 'commander';
import { invalid } from './refusals.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** Returns the shell. Throws `Refusal` if there is no script for it. */
export function shellOf(name: string): Shell {
  const shell = SHELLS.find((each) => each === name);
  if (shell) return shell;
  throw invalid('shell', `There is no script for ${name}. Give one of: ${SHELLS.join(', ')}.`);
}

/** Returns, for each command by its whole name, the words that may follow. */
function wordsOf(command: Command, name = ''): (readonly [name: string, words: string[]])[] {
  const below = command.commands.filter((each) => each.name() !== 'help');
  const options = command.createHelp().visibleOptions(command);
  const words = [...below.map((each) => each.name()), ...options.flatMap(({ long }) => long ?? [])];
  const more = below.flatMap((each) => wordsOf(each, `${name} ${each.name()}`.trim()));
  return [[name, words], ...more];
}

/** Returns the script for a shell: the commands of `program`, with their options. */
export function completionOf(program: Command, shell: Shell): string {
  const all = wordsOf(program);
  return shell === 'fish' ? fishOf(all) : SCRIPTS[shell](all);
}

type Words = ReturnType<typeof wordsOf>;

const SCRIPTS = {
  bash: (all: Words) => `_tollgate() {
  local name='' given words=''
${finding(all, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  case "$name" in
${all.map(([name, words]) => `    '${name}') words='${words.join(' ')}' ;;`).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _tollgate tollgate`,
  zsh: (all: Words) => `(( $+functions[compdef] )) || { autoload -U compinit && compinit }
_tollgate() {
  local name='' given
${finding(all, '"${(@)words[2,CURRENT-1]}"')}
  case "$name" in
${all.map(([name, words]) => `    '${name}') compadd -- ${words.join(' ')} ;;`).join('\n')}
  esac
  _files
}
compdef _tollgate tollgate`,
};

/** Finds the command in the words so far. Skips others, because an id may precede an option. */
const finding = (all: Words, words: string): string => `  for given in ${words}; do
    case "\${name:+$name }$given" in
      ${all.flatMap(([name]) => (name === '' ? [] : [`'${name}'`])).join('|')})
        name="\${name:+$name }$given" ;;
    esac
  done`;

function fishOf(all: Words): string {
  const lines = all.flatMap(([name, words]) => {
    const seen = name.split(' ').filter((word) => word !== '');
    const [first, second] = seen;
    const isHere =
      first === undefined
        ? '__fish_use_subcommand'
        : seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ');
    const below = all.flatMap(([other]) => {
      return second === undefined && first !== undefined && other.startsWith(`${first} `)
        ? [other.slice(first.length + 1)]
        : [];
    });
    const only = below.length > 0 ? `; and not __fish_seen_subcommand_from ${below.join(' ')}` : '';
    return words.map((word) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`;
      return `complete -c tollgate -n '${isHere}${only}' ${what}`;
    });
  });
  return lines.join('\n');
}
