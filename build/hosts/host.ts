import type { OutputFile } from "../file.ts";
import type { Answer, Request } from "../routing/resolve.ts";
import type { Encoding } from "../routing/sidecar.ts";
import type { RoutingTable } from "../routing/table.ts";

/** Compiles the routing table into what one host reads. It knows nothing of content or pages. */
export interface HostAdapter {
  readonly name: string;
  /** Every path it may ever write into the publish root: they are the program's own there. */
  readonly owns: readonly string[];
  /** `precompressed`: there are sidecars to send. Without any, rules that look for them would cost time for nothing. */
  readonly files: (table: RoutingTable, precompressed?: boolean) => readonly OutputFile[];
  /** Files of its configuration that are not to be published. They go into a folder of the host's beside the publish root. */
  readonly beside?: (table: RoutingTable, precompressed?: boolean) => readonly OutputFile[];
  /** The sidecars that it sends, by their encodings. Others compress by themselves, or not at all. */
  readonly sidecars?: readonly Encoding[];
  readonly program?: HostProgram;
  /** What the host refuses or silently drops beyond; checked before anything is written. */
  readonly limits?: readonly Limit[];
  /** What the configuration uses of limits of its own: rules, bytes of a script. */
  readonly uses?: (table: RoutingTable) => readonly Use[];
  /** In the order in which the host comes to them: a request that one of them changes goes on to the next. */
  readonly gaps: readonly Gap[];
  /** What the configuration relies on and only the host's own servers could prove, a sentence each, for readers. */
  readonly unproven?: readonly string[];
}

export interface Limit {
  readonly what: "files" | "files in one folder" | "bytes in one file" | "bytes in all";
  readonly most: number;
  /** Where it holds for one plan of the host only, and others have more: then it warns and does not fail. */
  readonly plan?: string;
  /** The address of the documentation that gives it. */
  readonly source: string;
}

export interface Use {
  readonly what: string;
  readonly used: number;
  readonly most: number;
  readonly source: string;
}

/** The host's own program, for looking at a build as the host answers it, on one's own machine. */
export interface HostProgram {
  /** What to look for on the PATH, and in node_modules/.bin. */
  readonly command: string;
  /** How to get it, for a person who lacks it. */
  readonly install: string;
  /** Where it answers otherwise than the host itself: how, in half a sentence. */
  readonly differs?: string;
  readonly run: (site: Site) => {
    /** Written into the site's folder before the program starts. */
    readonly files: readonly OutputFile[];
    readonly args: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  };
}

/** Where a program finds what it serves. Paths are absolute. */
export interface Site {
  readonly publishRoot: string;
  /** Where the adapter's `beside` files are. */
  readonly beside: string;
  /** An empty folder of the program's own, its working directory. */
  readonly folder: string;
  /** To listen on, on 127.0.0.1. */
  readonly port: number;
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
  /** The request that the host takes it for: it gets the right answer to that one, which is tested to the letter. */
  readonly takenFor?: (request: Request) => Request;
  /**
   * What the host answers instead, where it always answers the same: tested to the letter. Without this and
   * `takenFor` the test demands no more than that the request is not answered as the contract says.
   */
  readonly gives?: { readonly status: number; readonly file: string };
}
