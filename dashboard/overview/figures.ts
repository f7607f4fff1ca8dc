/** The figures of the overview: sums of a period, and a series of days for each plot. */
import { partsOf, sumCounts } from '../../domain/stats.ts';
import type { Counts } from '../../domain/stats.ts';

export interface Money {
  readonly currency: string;
  readonly count: number;
  /** In the currency's minor unit. */
  readonly amount: number;
}

export interface Figures {
  readonly created: number;
  /** The payments among `created` that were completed. */
  readonly converted: number;
  /** By currency, the one with the most payments first. */
  readonly completed: readonly Money[];
  readonly refunded: readonly Money[];
  readonly refundsFailed: number;
  /** The declines by failure code, the most frequent first. */
  readonly declined: readonly { readonly code: string; readonly count: number }[];
}

/** Returns the figures of several days. */
export function figuresOf(days: readonly Counts[]): Figures {
  const sums = sumCounts(days);
  const of = (name: string): number => sums[name] ?? 0;
  const money = (family: string): Money[] =>
    partsOf(sums, family)
      .map((currency) => ({
        currency,
        count: of(`${family}:${currency}:count`),
        amount: of(`${family}:${currency}:amount`),
      }))
      .toSorted((a, b) => b.count - a.count);
  return {
    created: of('created'),
    converted: of('converted'),
    completed: money('completed'),
    refunded: money('refunded'),
    refundsFailed: of('refunds_failed'),
    declined: partsOf(sums, 'declined')
      .map((code) => ({ code, count: of(`declined:${code}`) }))
      .toSorted((a, b) => b.count - a.count),
  };
}

/** Returns the share as a percentage in the reader's language; null of nothing. */
export function percent(part: number, whole: number, locale: string): string | null {
  if (whole === 0) return null;
  const style = { style: 'percent', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(locale, style).format(part / whole);
}
