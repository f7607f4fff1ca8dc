/** A time with its zone. */
import { timeWithZone } from '../text.ts';

interface TimeProps {
  readonly at: Date;
  readonly locale: string;
  readonly id: string;
}

/** A time in UTC. A script shows it in the reader's time zone. */
export function Time({ at, locale, id }: TimeProps) {
  return (
    <time datetime={at.toISOString()} id={id} data-local="">
      {timeWithZone(at, locale)}
    </time>
  );
}
