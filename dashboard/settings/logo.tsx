/** The merchant's logo: the picture, the form that replaces it, and its removal. */
import { LOGO_BOX, logoSize } from '../../domain/picture.ts';
import { MAX_LOGO_KIB, removeLogo, setLogo } from '../../operations/logo.ts';
import { findLogos } from '../../store/logos.ts';
import { FormField } from '../../ui/form.tsx';
import { ActionForm } from '../layout.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { refusalText } from '../text.ts';

export function LogoSection({ request }: { request: StaffRequest }) {
  const { t, merchant, refusal } = request;
  const { logo, name } = merchant;
  const mayChange = request.may('settings.write');
  const error = refusal?.errors.find(({ param }) => param === 'logo');
  return (
    <section>
      <h2>{t('logo.title')}</h2>
      {logo ? (
        <img class="logo" src={`/settings/logo/${logo.id}`} alt={name} {...logoSize(logo)} />
      ) : (
        <p class="hint">{t('logo.none')}</p>
      )}
      {mayChange && (
        <ActionForm request={request} to="/settings/logo" enctype="multipart/form-data">
          <FormField
            id="logo"
            label={t('logo.file')}
            hint={t('logo.hint', { kib: MAX_LOGO_KIB, ...LOGO_BOX })}
            error={error && refusalText(error)}
            input={{ type: 'file', accept: 'image/png,image/jpeg,image/webp', required: true }}
          />
          <button>{t(logo ? 'logo.replace' : 'logo.upload')}</button>
        </ActionForm>
      )}
      {mayChange && logo && (
        <ActionForm request={request} to="/settings/logo/remove">
          <button class="danger-button">{t('logo.remove')}</button>
        </ActionForm>
      )}
    </section>
  );
}

/** `GET /settings/logo/:id`: the present logo of the user's merchant, and no other. */
export async function sendLogo({ services, merchant, params, ctx }: StaffRequest): Promise<Result> {
  const { id = '' } = params;
  const logo = merchant.logo?.id === id ? await findLogos(services.mongo, [id]) : undefined;
  const found = logo?.get(id);
  if (!found) return ctx.throw(404);
  ctx.type = found.type;
  ctx.body = found.bytes;
  return 'sent';
}

/** `POST /settings/logo` */
export async function saveLogo({ operations, merchant, form }: StaffRequest): Promise<Result> {
  await setLogo(operations, { merchant: merchant._id, file: form.file('logo') });
  return { to: '/settings', done: 'logo_saved' };
}

/** `POST /settings/logo/remove` */
export async function dropLogo({ operations, merchant }: StaffRequest): Promise<Result> {
  await removeLogo(operations, { merchant: merchant._id });
  return { to: '/settings', done: 'logo_removed' };
}
