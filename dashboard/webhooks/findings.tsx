/** The findings of the explainer: mistakes, notes, the right headers and the signed text. */
import { FORMS } from '../../explain/forms.ts';
import type { Explanation } from '../../explain/signature.ts';
import type { StaffRequest } from '../request.ts';
import { withoutSecrets } from './given.ts';

/** The findings that have a text in every language. */
const CODES = [
  'key_whole',
  'key_decoded',
  'key_prefix_cut',
  'other_secret',
  'timestamp_ms',
  'timestamp_missing',
  'body_differs',
  'encoding',
  'prefix',
  'value_malformed',
  'other_form',
  'fits',
  'unexplained',
  'clock',
  'headers_not_kept',
] as const;

/** The signed characters that are shown. */
const SHOWN = 600;

export function Findings({ request, of }: { request: StaffRequest; of: Explanation }) {
  const { t } = request;
  const { findings, headers, forms } = of;
  return (
    <section id="findings">
      <h2>{t('explain.findings')}</h2>
      {findings.length === 0 && <p>{t('explain.nothing')}</p>}
      <ul class="list">
        {findings.map((finding) => (
          <Found key={`${finding.code} ${finding.about}`} request={request} of={finding} />
        ))}
      </ul>
      <h3>{t('explain.expected')}</h3>
      {headers.map(({ name, expected, given, fits }) => (
        <div key={name}>
          <pre>{`${name}: ${expected}`}</pre>
          {given !== undefined && (
            <p class={fits ? 'hint' : 'wrong'}>
              {t(fits ? 'explain.as_given' : 'explain.differs')}
              {!fits && <code> {withoutSecrets(given)}</code>}
            </p>
          )}
        </div>
      ))}
      {forms.map(({ form, signed }) => (
        <div key={form}>
          <h3>{t('explain.signed', { header: FORMS[form].header })}</h3>
          <pre>{signed.slice(0, SHOWN)}</pre>
          {signed.length > SHOWN && <p class="hint">{t('delivery.cut')}</p>}
        </div>
      ))}
    </section>
  );
}

function Found({ request, of }: { request: StaffRequest; of: Explanation['findings'][number] }) {
  const { t } = request;
  const { code, kind, about, says } = of;
  const known = CODES.find((each) => each === code);
  return (
    <li class={`finding-${kind}`} data-code={code}>
      <p>
        <strong>{t(`explain.${kind}`)}</strong> {about !== null && <code>{about}</code>}
        {known && ` ${t(`finding.${known}`)}`}
      </p>
      <p class="hint" lang="en">
        {withoutSecrets(says)}
      </p>
    </li>
  );
}
