/** Every choice of one value from each list. */
export const everyChoice = (lists: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  lists.reduce<readonly (readonly string[])[]>(
    (chosen, values) => chosen.flatMap((before) => values.map((value) => [...before, value])),
    [[]],
  );
