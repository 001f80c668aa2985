// The arguments of a call of the client, written alike in the samples of the build and in those of a filled form.

export interface Argument {
  readonly name: string;
  readonly value: string;
  readonly isNumber: boolean;
}

const literal = ({ value, isNumber }: Argument): string => (isNumber ? value : JSON.stringify(value));

/** `"nodejs", "22"`: the key of a single item. */
export const keyArguments = (key: readonly Argument[]): string => key.map(literal).join(", ");

/** `{ limit: 2 }`: the parameters of a list; empty if there are none. */
export function listArguments(params: readonly Argument[]): string {
  const members = params.map((each) => `${each.name.includes("-") ? `"${each.name}"` : each.name}: ${literal(each)}`);
  return members.length === 0 ? "" : `{ ${members.join(", ")} }`;
}
