/** The time that is left to pay. A script counts the last minutes down. */
import type { PaymentContext } from '../context.ts';
import { timeInWords } from '../text.ts';
import { Time } from './time.tsx';

/** The minutes before the end at which the script announces the time that is left. */
const ANNOUNCED_MINUTES = [10, 5, 1] as const;

const MINUTE_MS = 60_000;

export function TimeLeft({ t, payment, locale, now }: PaymentContext) {
  const leftMs = payment.expires_at.getTime() - now.getTime();
  const announcements = ANNOUNCED_MINUTES.map((minutes) => ({
    ms: minutes * MINUTE_MS,
    text: t('form.time_left', { time: timeInWords(minutes * MINUTE_MS, locale) }),
  }));
  return (
    <div class="aside" id="time">
      <p
        id="time-left"
        data-left-ms={leftMs}
        data-template={t('form.time_left', { time: '{time}' })}
        data-announcements={JSON.stringify(announcements)}
      >
        {t('form.time_left', { time: timeInWords(leftMs, locale) })}
      </p>
      <p>
        {t('form.pay_by')} <Time at={payment.expires_at} locale={locale} id="pay-by" />
      </p>
      <p class="unseen" role="status" id="time-announced" />
    </div>
  );
}
