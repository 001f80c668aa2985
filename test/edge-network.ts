import { completeApi } from "../build/declaration/complete.ts";
import declared from "../src/edge-network/index.ts";
import type { Api } from "../src/model/api.ts";
import type { ListOperation } from "../src/model/operation.ts";

export const edgeNetwork = completeApi(declared);

/** The same API below another base. */
export const edgeNetworkAt = (base: string): Api => completeApi({ ...declared, base });

/** The operation that lists items of a type, such as EdgeNode. */
export function listOf(title: string): ListOperation {
  const found = edgeNetwork.lists.find((list) => list.title === title);
  if (found === undefined) throw new Error(`Nothing lists ${title}.`);
  return found;
}
