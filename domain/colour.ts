/** A merchant's colour on the checkout, and whether people can read it there. */

/** The checkout's own colour, for merchants without one. */
export const DEFAULT_COLOUR = '#1f4fd1';
/** The least contrast of text, by WCAG 2.2 (1.4.3, level AA). */
export const MIN_CONTRAST = 4.5;

/**
 * The background of the checkout. Text in the colour has less contrast with it than white text has
 * on the colour, so this one is enough to check.
 */
const GROUND = '#f3f5f8';
const FORM = /^#[\da-f]{6}$/;
/** The share of its light that a colour keeps in each step towards a readable one. */
const STEP = 0.97;
/** The share of its light that the colour of a button keeps under the pointer. */
const POINTED = 0.78;

/** Returns the colour as `#rrggbb` in lower case, or undefined if the text is not one. */
export function readColour(text: string): string | undefined {
  const colour = text.trim().toLowerCase();
  return FORM.test(colour) ? colour : undefined;
}

/** Returns the contrast of the colour on the checkout: 1 (none) to 21. Takes `#rrggbb`. */
export function contrastOf(colour: string): number {
  const [one, other] = [luminanceOf(colour), luminanceOf(GROUND)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Returns true if people can read text in the colour. A light colour on a light ground fails. */
export function isReadable(colour: string): boolean {
  return luminanceOf(colour) < luminanceOf(GROUND) && contrastOf(colour) >= MIN_CONTRAST;
}

/** Returns the nearest darker shade of the colour that is readable. */
export function readableShade(colour: string): string {
  let shade = colour;
  for (let light = 1; !isReadable(shade); light *= STEP) shade = dim(colour, light);
  return shade;
}

/** Returns the shade of a button under the pointer. */
export function darkerShade(colour: string): string {
  return dim(colour, POINTED);
}

/** Returns the colour with that share of its light, 0 to 1. */
function dim(colour: string, light: number): string {
  const channels = channelsOf(colour).map((channel) => Math.floor(channel * light));
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function channelsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** Returns the relative luminance by WCAG: 0 (black) to 1 (white). */
function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(colour).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
