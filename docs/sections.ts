/** The sections of a page, read from the HTML that we rendered ourselves. */
import { textOf } from './guides.ts';

export interface Section {
  readonly anchor: string;
  readonly title: string;
  /** 2 or 3, as in `h2`. */
  readonly level: number;
  /** What follows its heading, until the next one with an anchor. */
  readonly html: string;
}

const HEADING = /<h([23]) id="([^"]+)">([^]*?)<\/h\1>/g;

/** Returns the sections of a page, in its order. */
export function sectionsOf(html: string): Section[] {
  const found = [...html.matchAll(HEADING)];
  return found.map(({ 0: whole, 1: level = '', 2: anchor = '', 3: title = '', index }, at) => ({
    anchor,
    title: textOf(title),
    level: Number(level),
    html: html.slice(index + whole.length, found[at + 1]?.index),
  }));
}

/** Returns what precedes the first section. */
export function introductionOf(html: string): string {
  const first = html.search(HEADING);
  return first === -1 ? html : html.slice(0, first);
}
