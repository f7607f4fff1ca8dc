/** The page of the command line. */
import { commandAnchor } from './reference.ts';
import type { CommandEntry, Reference } from './reference.ts';

const NEEDS_KEY = '--api-key <key>';

/** Returns true if the command calls the API. `explain` works with nothing but its options. */
const isLocal = ({ name, options }: CommandEntry): boolean =>
  name === 'explain' || options.some(({ flags }) => flags === NEEDS_KEY);

/** Returns the commands in two groups: those for integrators, and those for operators. */
export function groupCommands(commands: readonly CommandEntry[]) {
  return [
    {
      title: 'With a test key',
      text: 'For the developers of a shop. They take the key from TOLLGATE_API_KEY.',
      commands: commands.filter(isLocal),
    },
    {
      title: 'On the service',
      text: 'For its operator. They work on the database of the service.',
      commands: commands.filter((command) => !isLocal(command)),
    },
  ] as const;
}

/** Every command with its options. */
export function CommandList({ api }: { api: Reference }) {
  return groupCommands(api.commands).map(({ title, text, commands }) => (
    <section key={title} class="guide">
      <h2 id={commandAnchor(title.toLowerCase())}>{title}</h2>
      <p>{text}</p>
      {commands.map((command) => (
        <Command key={command.name} command={command} />
      ))}
    </section>
  ));
}

function Command({ command: { name, usage, description, options } }: { command: CommandEntry }) {
  return (
    <>
      <h3 id={commandAnchor(name)}>
        <code>{name}</code>
      </h3>
      <p>{sentence(description)}</p>
      <p>
        <code>npx {usage}</code>
      </p>
      <ul class="fields">
        {options.map((option) => (
          <li key={option.flags}>
            <code class="field-name">{option.flags}</code>{' '}
            {option.isRequired && <span class="field-required">required</span>}
            <p>{sentence(option.description)}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns the words of a help text as a sentence. */
export function sentence(text: string): string {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}
