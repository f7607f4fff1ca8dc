/** The reasons of declines in the last 30 days. */
import type { FailureCode } from '../../domain/bank.ts';
import { Table } from '../parts.tsx';
import type { StaffRequest } from '../request.ts';
import { percent } from './figures.ts';
import type { Figures } from './figures.ts';
import { REASONS } from './reason-texts.ts';

interface DeclinesProps {
  readonly request: StaffRequest;
  readonly declined: Figures['declined'];
}

export function Declines({ request, declined }: DeclinesProps) {
  const { t, locale } = request;
  const all = declined.reduce((sum, { count }) => sum + count, 0);
  const number = new Intl.NumberFormat(locale);
  return (
    <section id="declines">
      <h2>{t('overview.declines')}</h2>
      {all === 0 ? (
        <p>{t('overview.no_declines')}</p>
      ) : (
        <Table
          head={[
            t('overview.reason'),
            [t('overview.count'), 'number'],
            [t('overview.share'), 'number'],
          ]}
        >
          {declined.map(({ code, count }) => (
            <tr key={code}>
              <th scope="row">
                {reasonText(request, code)} <code>{code}</code>
              </th>
              <td class="number">{number.format(count)}</td>
              <td class="number">{percent(count, all, locale)}</td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}

/** Returns the reason in the reader's language; nothing for codes of other versions. */
function reasonText({ t }: StaffRequest, code: string): string {
  const key = `overview.code.${code as FailureCode}` as const;
  return Object.hasOwn(REASONS, key) ? t(key) : '';
}
