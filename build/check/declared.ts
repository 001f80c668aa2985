// What a host has to answer: as the contract says, or as its declared gaps say.
import type { Gap, Request } from "../hosts/host.ts";
import type { RoutingTable } from "../routing/table.ts";
import type { Contract, Expected } from "./expected.ts";
import { passage } from "./passage.ts";

export interface Declarations {
  readonly contract: Contract;
  readonly table: RoutingTable;
  readonly gaps: readonly Gap[];
  /** Whether the publish root has a page. */
  readonly exists: (file: string) => boolean;
  /** The text of a file that a gap gives. */
  readonly textOf: (file: string) => Expected["body"];
}

export interface Declared {
  readonly expected: Expected;
  /** The gaps that change the answer. */
  readonly through: readonly Gap[];
  /** Whether the last of them only says that the answer is not the expected one. */
  readonly loose: boolean;
}

export function declaredAnswer({ contract, table, gaps, exists, textOf }: Declarations, request: Request): Declared {
  const { taken, through, last } = passage(gaps, table, exists, request);
  if (last === undefined) return { expected: contract(taken), through, loose: false };
  if (last.gives === undefined) return { expected: contract(taken), through, loose: true };
  return { expected: given(table, last.gives.status, textOf(last.gives.file)), through, loose: false };
}

/** The host's own answer. It has the headers of an error. */
function given(table: RoutingTable, status: number, body: Expected["body"]): Expected {
  const headers = Object.entries({ ...table.headers, "Cache-Control": table.errorCacheControl });
  return {
    status,
    body,
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
  };
}
