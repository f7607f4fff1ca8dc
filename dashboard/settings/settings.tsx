/** The merchant's settings, which the checkout and the API use. */
import type { ComponentChildren } from 'preact';
import {
  DEFAULT_COLOUR,
  MIN_CONTRAST,
  contrastOf,
  isReadable,
  readColour,
  readableShade,
} from '../../domain/colour.ts';
import { DEFAULT_LIFETIME_MS, MAX_LIFETIME_MS, MIN_LIFETIME_MS } from '../../domain/payment.ts';
import { updateMerchant } from '../../operations/change-merchant.ts';
import { FormField } from '../../ui/form.tsx';
import { ActionForm, Page } from '../layout.tsx';
import { Kept } from './kept.tsx';
import { LogoSection } from './logo.tsx';
import { LanguageSelect } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { refusalText } from '../text.ts';

const MINUTE_MS = 60_000;
const DEFAULT_LIFETIME = String(DEFAULT_LIFETIME_MS / MINUTE_MS);

/** `GET /settings` */
export async function showSettings(request: StaffRequest): Promise<Result> {
  const { t, merchant, form } = request;
  // The form of the logo has none of these fields.
  const given = (name: string, stored: string): string => form.all(name)[0]?.trim() ?? stored;
  const locale = given('locale', merchant.locale);
  const { lifetime_ms: ms } = merchant;
  const lifetime = ms === undefined ? DEFAULT_LIFETIME : String(ms / MINUTE_MS);
  const colour = given('colour', merchant.colour ?? DEFAULT_COLOUR);
  const readonly = !request.may('settings.write');
  return {
    page: (
      <Page request={request} title={t('menu.settings')}>
        <Settings request={request}>
          <FormField
            {...about(request, 'name')}
            label={t('field.name')}
            hint={t('settings.name_hint')}
            input={{
              value: given('name', merchant.name),
              required: true,
              maxLength: 100,
              readonly,
            }}
          />
          <LanguageSelect label={t('settings.locale')} chosen={locale} disabled={readonly} />
          <FormField
            {...about(request, 'lifetime')}
            label={t('settings.lifetime')}
            hint={t('settings.lifetime_hint')}
            input={{
              type: 'number',
              min: MIN_LIFETIME_MS / MINUTE_MS,
              max: MAX_LIFETIME_MS / MINUTE_MS,
              value: given('lifetime', lifetime),
              required: true,
              readonly,
            }}
          />
          <FormField
            {...about(request, 'colour')}
            label={t('settings.colour')}
            hint={t('settings.colour_hint', { min: MIN_CONTRAST })}
            input={{ type: 'color', value: colour, disabled: readonly }}
          />
          <Preview request={request} colour={readColour(colour) ?? DEFAULT_COLOUR} />
        </Settings>
        <LogoSection request={request} />
        <Kept request={request} />
      </Page>
    ),
  };
}

/** A form for those who may change the settings. */
function Settings({ request, children }: { request: StaffRequest; children: ComponentChildren }) {
  if (!request.may('settings.write')) return <section>{children}</section>;
  return (
    <ActionForm request={request} to="/settings">
      {children}
      <button class="main-button">{request.t('save')}</button>
    </ActionForm>
  );
}

/** Returns the id of a field, and its error in the reader's language. */
function about({ t, refusal, form }: StaffRequest, id: 'name' | 'lifetime' | 'colour') {
  const error = refusal?.errors.find(({ param }) => param === id);
  if (!error) return { id };
  const colour = id === 'colour' ? readColour(form.get('colour')) : undefined;
  if (colour === undefined) return { id, error: refusalText(error) };
  const contrast = Math.floor(contrastOf(colour) * 10) / 10;
  const values = { contrast, min: MIN_CONTRAST, shade: readableShade(colour) };
  return { id, error: t('settings.colour_unreadable', values) };
}

/** A button and a link in the colour, and the nearest readable shade if there has to be another. */
function Preview({ request, colour }: { request: StaffRequest; colour: string }) {
  const { t } = request;
  const shades = isReadable(colour) ? [colour] : [colour, readableShade(colour)];
  return (
    <div class="previews">
      {shades.map((shade) => (
        <figure key={shade}>
          <svg viewBox="0 0 200 72" width="200" height="72" role="img" aria-label={shade}>
            <rect width="200" height="72" rx="8" fill="#f3f5f8" />
            <rect x="12" y="10" width="176" height="28" rx="6" fill={shade} />
            <text x="100" y="29" text-anchor="middle" font-size="13" fill="#ffffff">
              {t('settings.preview')}
            </text>
            <text x="100" y="58" text-anchor="middle" font-size="13" fill={shade}>
              {t('settings.preview')}
            </text>
          </svg>
          <figcaption>
            <code>{shade}</code> {Math.floor(contrastOf(shade) * 10) / 10}:1
          </figcaption>
        </figure>
      ))}
    </div>
  );
}

/** `POST /settings` */
export async function saveSettings({ operations, merchant, form }: StaffRequest): Promise<Result> {
  const [lifetime, colour] = [form.get('lifetime'), form.get('colour')];
  // A default that was shown is not a choice: it may change with the product.
  const isDefaultTime = merchant.lifetime_ms === undefined && lifetime === DEFAULT_LIFETIME;
  const isDefaultColour = merchant.colour === undefined && colour === DEFAULT_COLOUR;
  await updateMerchant(operations, {
    merchant: merchant._id,
    name: form.get('name'),
    locale: form.get('locale'),
    ...(isDefaultTime ? {} : { lifetimeMinutes: lifetime }),
    ...(isDefaultColour ? {} : { colour }),
  });
  return { to: '/settings', done: 'saved' };
}
