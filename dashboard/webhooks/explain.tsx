/** The signature explainer, for a pasted request or a stored attempt. */
import type { Explanation } from '../../explain/signature.ts';
import { explainAttempt } from '../../explain/stored.ts';
import { Refusal } from '../../operations/refusal.ts';
import { Field, Page } from '../layout.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { chooseAttempt } from './attempt.tsx';
import { GivenForm, StoredForm } from './explain-forms.tsx';
import type { Named } from './explain-forms.tsx';
import { Findings } from './findings.tsx';
import { explainGiven, readBody, readComputed, readHeaders, withoutSecrets } from './given.ts';
import { ownDelivery } from './own.ts';

/** `GET /webhooks/explain?delivery=dlv_...&attempt=2` */
export async function showExplainer(request: StaffRequest): Promise<Result> {
  const named = namedOf(request);
  const isNew = request.refusal === undefined && named !== undefined;
  const explanation = isNew ? await explainNamed(request, named) : undefined;
  return { page: explainerPage(request, explanation) };
}

/** `POST /webhooks/explain`. Changes nothing: a form keeps the values out of the address. */
export async function explain(request: StaffRequest): Promise<Result> {
  const named = namedOf(request);
  const explanation = named
    ? await explainNamed(request, named)
    : explainGiven(request.form, request.now);
  return { page: explainerPage(request, explanation) };
}

function namedOf({ ctx, form }: StaffRequest): Named | undefined {
  const { delivery: inQuery, attempt = '' } = ctx.query;
  if (form.get('delivery') !== '') {
    return { delivery: form.get('delivery'), attempt: form.get('attempt') };
  }
  if (typeof inQuery !== 'string' || inQuery === '') return undefined;
  return { delivery: inQuery, attempt: String(attempt) };
}

async function explainNamed(request: StaffRequest, { delivery: id, attempt: number }: Named) {
  const { services, form, ctx } = request;
  const delivery = await ownDelivery(request, id);
  const attempt = chooseAttempt(delivery, number);
  if (!attempt) {
    // Of an address, there is nothing to correct.
    if (ctx.method === 'GET' && number !== '') ctx.throw(404);
    throw Refusal.ofParam('attempt', 'Nothing was sent yet, or there is no such attempt.');
  }
  return explainAttempt(services, {
    delivery,
    attempt,
    given: readHeaders(form),
    computed: readComputed(form),
    signedBody: readBody(form),
  });
}

function explainerPage(of: StaffRequest, explanation: Explanation | undefined) {
  // The page repeats what was pasted, but no secret, wherever it was pasted.
  const get = (name: string): string => withoutSecrets(of.form.get(name));
  const request = { ...of, form: { ...of.form, get } };
  const { t } = request;
  const named = namedOf(request);
  return (
    <Page request={request} title={t('explain.title')}>
      <p>{t('explain.intro')}</p>
      {explanation && <Findings request={request} of={explanation} />}
      {named ? (
        <StoredForm request={request} named={named} />
      ) : (
        <>
          <GivenForm request={request} />
          <ChooseForm request={request} />
        </>
      )}
    </Page>
  );
}

/** Leads to the explanation of a stored attempt. */
function ChooseForm({ request }: { request: StaffRequest }) {
  const { t } = request;
  return (
    <section>
      <h2>{t('explain.choose')}</h2>
      <form method="get" action="/webhooks/explain">
        <Field
          request={request}
          name="delivery"
          label="delivery.id"
          hint="explain.delivery_hint"
          input={{ autocomplete: 'off', required: true }}
        />
        <button>{t('explain.button')}</button>
      </form>
    </section>
  );
}
