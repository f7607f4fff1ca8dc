/** Small parts that pages share: facts, tables, choices, statuses, and links between pages. */
import type { ComponentChildren } from 'preact';
import { LOCALES } from '../domain/merchant.ts';
import type { PageRequest } from './request.ts';
import { LANGUAGE_NAMES } from './text.ts';

/** Names and values below each other. Leaves out names without a value. */
export function Facts({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

interface TableProps {
  readonly id?: string;
  /** The names of the columns. A column of numbers is a pair. */
  readonly head: readonly (string | readonly [name: string, kind: 'number'])[];
  /** The rows. */
  readonly children: ComponentChildren;
}

/** A table that scrolls by itself where the screen is narrow. */
export function Table({ id, head, children }: TableProps) {
  return (
    <div class="scroll">
      <table class="rows" {...(id && { id })}>
        <thead>
          <tr>
            {head.map((column) =>
              typeof column === 'string' ? (
                <th key={column} scope="col">
                  {column}
                </th>
              ) : (
                <th key={column[0]} scope="col" class="number">
                  {column[0]}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

interface SelectProps {
  readonly id: string;
  /** By default the id. */
  readonly name?: string;
  readonly label: string;
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly chosen?: string | undefined;
  readonly disabled?: boolean;
}

/** A choice of one among several. */
export function Select({ id, name = id, label, options, chosen, disabled = false }: SelectProps) {
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} disabled={disabled}>
        {options.map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </p>
  );
}

/** The choice of a language, each under its name in itself. */
export function LanguageSelect(props: Omit<SelectProps, 'id' | 'options'>) {
  const options = LOCALES.map((locale) => [locale, LANGUAGE_NAMES[locale]] as const);
  return <Select id="locale" options={options} {...props} />;
}

interface BadgeProps {
  /** A status of a payment, refund, delivery, endpoint or replay, which chooses the colour. */
  readonly kind: string;
  readonly children: ComponentChildren;
}

/** A status. The word alone says it, too. */
export function Badge({ kind, children }: BadgeProps) {
  return <span class={`badge badge-${kind}`}>{children}</span>;
}

interface TabsProps {
  readonly label: string;
  readonly places: readonly { to: string; text: string; isHere: boolean }[];
}

/** The links between pages of one subject. */
export function Tabs({ label, places }: TabsProps) {
  return (
    <nav class="tabs" aria-label={label}>
      {places.map(({ to, text, isHere }) => (
        <a key={to} href={to} {...(isHere && { 'aria-current': 'page' as const })}>
          {text}
        </a>
      ))}
    </nav>
  );
}

/** Where a link leads, if there is one. */
type Address = string | false | null | undefined;

interface PagerProps {
  readonly request: PageRequest;
  /** The addresses of the pages around this one. Without any, nothing is rendered. */
  readonly newest?: Address;
  readonly newer?: Address;
  readonly older?: Address;
}

/** The links to the other pages of a list, newest first. */
export function Pager({ request: { t }, newest, newer, older }: PagerProps) {
  if (!newest && !newer && !older) return null;
  return (
    <nav class="pager" aria-label={t('pager.label')}>
      {newest && <a href={newest}>{t('pager.newest')}</a>}
      {newer && (
        <a href={newer} rel="prev">
          {t('pager.newer')}
        </a>
      )}
      {older && (
        <a href={older} rel="next">
          {t('pager.older')}
        </a>
      )}
    </nav>
  );
}
