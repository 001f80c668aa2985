import type { OutputFile } from "../file.ts";
import type { Answer, Request } from "../routing/resolve.ts";
import type { RoutingTable } from "../routing/table.ts";

/** Compiles the routing table into what one host reads. It knows nothing of content or pages. */
export interface HostAdapter {
  readonly name: string;
  /** Every path it may ever write into the publish root: they are the program's own there. */
  readonly owns: readonly string[];
  readonly files: (table: RoutingTable) => readonly OutputFile[];
  readonly gaps: readonly Gap[];
}

/** A class of requests that the host cannot answer as the contract says. */
export interface Gap {
  /** What the requests have in common, for readers. */
  readonly requests: string;
  /** What happens instead, for readers. */
  readonly happens: string;
  /** Why the host cannot do better. */
  readonly reason: string;
  /** Whether a request whose right answer is `answer` belongs to the class. */
  readonly covers: (request: Request, answer: Answer) => boolean;
  /**
   * What the host answers instead, where it always answers the same: tested to the letter. Without it the test
   * demands no more than that the request is not answered as the contract says.
   */
  readonly gives?: { readonly status: number; readonly file: string };
}
