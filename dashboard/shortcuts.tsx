/** The keyboard's shortcuts: their letters, and the list that `?` opens. */
import type { StaffRequest } from './request.ts';
import type { TextKey } from './text.ts';

/** A page of the menu. */
interface Place {
  readonly path: string;
  readonly text: TextKey;
}

/** Gives each page a letter: the first one of its path, or of `home`, that is still free. */
export function withLetters<P extends Place>(
  places: readonly P[],
): readonly (P & { readonly letter: string })[] {
  const used = new Set<string>();
  return places.map((place) => {
    const letters = place.path === '/' ? 'home' : place.path.replaceAll(/[^a-z]/g, '');
    const letter = Array.from(letters).find((each) => !used.has(each)) ?? '';
    used.add(letter);
    return { ...place, letter };
  });
}

interface ShortcutsProps {
  readonly request: StaffRequest;
  readonly places: readonly (Place & { readonly letter: string })[];
}

/** The list. Only the script opens it, so nothing is missing without one. */
export function Shortcuts({ request: { t }, places }: ShortcutsProps) {
  const acts = [
    [['/'], 'shortcuts.search'],
    [['j', 'k'], 'shortcuts.move'],
    [['Enter'], 'shortcuts.open'],
    [['?'], 'shortcuts.list'],
  ] as const;
  return (
    <>
      <p class="said" role="status" />
      <dialog id="shortcuts" aria-labelledby="shortcuts-title" data-choose={t('shortcuts.choose')}>
        <h2 id="shortcuts-title">{t('shortcuts.title')}</h2>
        <dl>
          {acts.map(([keys, text]) => (
            <Line key={text} keys={keys} text={t(text)} />
          ))}
          {places.map(({ path, letter, text }) => (
            <Line key={path} keys={['g', letter]} text={t(text)} />
          ))}
        </dl>
        <form method="dialog">
          <label class="check">
            <input type="checkbox" checked /> {t('shortcuts.on')}
          </label>
          <button>{t('shortcuts.close')}</button>
        </form>
      </dialog>
    </>
  );
}

function Line({ keys, text }: { keys: readonly string[]; text: string }) {
  return (
    <>
      <dt>
        {keys.map((each, index) => (
          <>
            {index > 0 && ' '}
            <kbd>{each}</kbd>
          </>
        ))}
      </dt>
      <dd>{text}</dd>
    </>
  );
}
