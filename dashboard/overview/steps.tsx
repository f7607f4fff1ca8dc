/** The first steps of a merchant without payments: a key, a receiver, and a payment. */
import type { Endpoint } from '../../domain/endpoint.ts';
import { listKeys } from '../../store/keys.ts';
import type { StaffRequest } from '../request.ts';

/** Returns true if the merchant has a key for test mode. */
export async function hasKey({ services, merchant, now }: StaffRequest): Promise<boolean> {
  const of = { merchant_id: merchant._id, mode: 'test' } as const;
  const keys = await listKeys(services.mongo, of, { now, over: 1 });
  return keys.some(({ revoked_at, expires_at: end }) => !revoked_at && (!end || end > now));
}

interface StepsProps {
  readonly request: StaffRequest;
  readonly hasKey: boolean;
  readonly endpoints: readonly Endpoint[];
}

/** The steps in order. Those that are done have a mark. */
export function FirstSteps({ request, hasKey: isKeyMade, endpoints }: StepsProps) {
  const { t, services } = request;
  const steps = [
    { name: 'key', to: '/keys', isDone: isKeyMade },
    { name: 'endpoint', to: '/webhooks', isDone: endpoints.length > 0 },
    { name: 'payment', to: `${services.apiUrl}/docs#quickstart`, isDone: false },
  ] as const;
  return (
    <section id="first-steps">
      <h2>{t('steps.title')}</h2>
      <ol>
        {steps.map(({ name, to, isDone }) => (
          <li key={name}>
            <a href={to}>{t(`steps.${name}`)}</a>{' '}
            {isDone && <span class="badge badge-succeeded">{t('steps.done')}</span>}
            <p class="hint">{t(`steps.${name}_hint`)}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
