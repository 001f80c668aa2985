// The accent of the pages: colours that can be read on their grounds. Contrast is as in WCAG 2.2
// (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).

export const schemes = ["light", "dark"] as const;

export type Scheme = (typeof schemes)[number];

/** A colour as `#rrggbb` for each scheme. */
export type Accent = Readonly<Record<Scheme, string>>;

/** The colours behind text in style.css. */
const grounds: Readonly<Record<Scheme, readonly [ground: string, surface: string]>> = {
  light: ["#ffffff", "#f6f8fa"],
  dark: ["#0f1216", "#171b20"],
};

/** The contrast that WCAG requires of text. */
export const minContrast = 4.5;

/** The background of a selected element: the ground with a touch of the accent. */
export const tintOf = (accent: string, scheme: Scheme): string => mixed(grounds[scheme][0], accent, 0.1);

export const isReadable = (accent: string, scheme: Scheme): boolean =>
  [...grounds[scheme], tintOf(accent, scheme)].every((ground) => contrastOf(accent, ground) >= minContrast);

/** The nearest readable colour: darker on light pages, lighter on dark ones. */
export function readable(accent: string, scheme: Scheme): string {
  const end = scheme === "light" ? "#000000" : "#ffffff";
  for (let percent = 0; percent < 100; percent++) {
    const colour = mixed(accent, end, percent / 100);
    if (isReadable(colour, scheme)) return colour;
  }
  return end;
}

export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function mixed(one: string, other: string, share: number): string {
  const others = partsOf(other);
  const parts = partsOf(one).map((part, index) => Math.round(part + ((others[index] ?? 0) - part) * share));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

const partsOf = (colour: string): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
