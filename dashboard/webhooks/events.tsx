/** The choice of event types: all of them, whole families, or single ones. */
import { EVENT_TYPES } from '../../domain/event.ts';
import { Refusal } from '../../operations/refusal.ts';
import type { Form } from '../form.ts';
import type { StaffRequest } from '../request.ts';
import { refusalText } from '../text.ts';

const FAMILIES = [...new Set(EVENT_TYPES.map(familyOf))];

function familyOf(type: string): string {
  return type.slice(0, type.indexOf('.'));
}

interface ChoiceProps {
  readonly request: StaffRequest;
  /** The selectors that are checked, unless the form was submitted already. */
  readonly chosen: readonly string[];
}

/** Check boxes for the event types. */
export function EventChoice({ request, chosen }: ChoiceProps) {
  const { t, form, refusal } = request;
  const sent = form.all('events');
  const checked = sent.length > 0 ? sent : chosen;
  const error = refusal?.errors.find(({ param }) => param === 'events');
  return (
    <fieldset id="events" class="choice">
      <legend>{t('hooks.events')}</legend>
      {error && <p class="wrong">{refusalText(error)}</p>}
      <Check value="*" checked={checked} text={t('hooks.all_events')} />
      {FAMILIES.map((family) => (
        <div key={family} class="family">
          <Check
            value={`${family}.*`}
            checked={checked}
            text={t('hooks.all_of', { family: `${family}.` })}
          />
          {EVENT_TYPES.filter((type) => familyOf(type) === family).map((type) => (
            <Check key={type} value={type} checked={checked} text={type} />
          ))}
        </div>
      ))}
    </fieldset>
  );
}

function Check({
  value,
  checked,
  text,
}: {
  value: string;
  checked: readonly string[];
  text: string;
}) {
  return (
    <label class="check">
      <input type="checkbox" name="events" value={value} checked={checked.includes(value)} />
      {text}
    </label>
  );
}

/** Returns the chosen selectors as a list for the operations. Throws `Refusal` without any. */
export function chosenEvents(form: Form): string {
  const chosen = form.all('events');
  if (chosen.length === 0) throw Refusal.ofParam('events', 'Choose at least one event type.');
  if (chosen.includes('*')) return '*';
  const isCovered = (one: string): boolean =>
    !one.endsWith('.*') && chosen.includes(`${familyOf(one)}.*`);
  return chosen.filter((one) => !isCovered(one)).join(',');
}
