/** A list with at least one element. */
export type NonEmpty<Element> = readonly [Element, ...Element[]];

export const mapNonEmpty = <Element, Result>(
  [first, ...others]: NonEmpty<Element>,
  resultOf: (element: Element, index: number) => Result,
): NonEmpty<Result> => [resultOf(first, 0), ...others.map((element, index) => resultOf(element, index + 1))];
