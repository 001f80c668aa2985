// Places the circles of the map at their countries, and moves overlapping circles apart.

export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

interface Moving {
  x: number;
  y: number;
  r: number;
  readonly home: Circle;
}

const rounds = 60;
/** The circles grow during these rounds, so that their arrangement stays the same. */
const growing = 40;

/** The places, in order. `gap` is the smallest distance between two circles. Circles without neighbours stay in place. */
export function movedApart<Home extends Circle>(
  circles: readonly Home[],
  { width, height }: { readonly width: number; readonly height: number },
  gap: number,
): readonly { readonly home: Home; readonly at: Circle }[] {
  const all = circles.map((home) => ({ x: home.x, y: home.y, r: home.r, home }));
  for (let round = 0; round < rounds; round++) {
    // Each round first pulls the circles home, and less than the round before, so that moving apart prevails.
    const pull = 0.1 * (1 - round / rounds);
    const share = Math.min(1, (round + 1) / growing);
    for (const circle of all) {
      circle.x += (circle.home.x - circle.x) * pull;
      circle.y += (circle.home.y - circle.y) * pull;
      circle.r = circle.home.r * share;
    }
    for (const [index, one] of all.entries()) {
      for (const other of all.slice(index + 1)) push(one, other, gap * share);
    }
    for (const circle of all) {
      circle.x = Math.min(width - circle.r, Math.max(circle.r, circle.x));
      circle.y = Math.min(height - circle.r, Math.max(circle.r, circle.y));
    }
  }
  return all.map(({ x, y, r, home }) => ({ home, at: { x: rounded(x), y: rounded(y), r: rounded(r) } }));
}

/** Moves the smaller circle more. */
function push(one: Moving, other: Moving, gap: number): void {
  const x = other.x - one.x;
  const y = other.y - one.y;
  const distance = Math.sqrt(x * x + y * y);
  const missing = one.r + other.r + gap - distance;
  if (missing <= 0) return;
  const right = distance === 0 ? 1 : x / distance;
  const down = distance === 0 ? 0 : y / distance;
  const share = (other.r * other.r) / (one.r * one.r + other.r * other.r);
  one.x -= right * missing * share;
  one.y -= down * missing * share;
  other.x += right * missing * (1 - share);
  other.y += down * missing * (1 - share);
}

/** To a unit, which is about a pixel. */
export const rounded = (value: number): number => Math.round(value);
