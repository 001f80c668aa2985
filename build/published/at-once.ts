/** The number of concurrent requests to a server. */
export const atOnce = 8;

/** The results for the values of a list, in its order. After a failure, no further work starts. */
export async function allAtOnce<Value, Result>(
  values: Iterable<Value>,
  work: (value: Value) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const left = numbered(values);
  const worker = async () => {
    for (const [index, value] of left) results[index] = await work(value);
  };
  // The work that has started ends before the caller closes what it uses.
  const endings = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const ending of endings) if (ending.status === "rejected") throw ending.reason;
  return results;
}

/** A generator, which ends for all workers when one of them throws. */
function* numbered<Value>(values: Iterable<Value>): Generator<readonly [index: number, value: Value]> {
  let index = 0;
  for (const value of values) yield [index++, value];
}
