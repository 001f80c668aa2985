import type { OutputFile } from "../files/file.ts";
import type { Param } from "../routing/params.ts";
import type { Answer, Request } from "../routing/resolve.ts";
import type { ErrorAnswer, RoutingTable, Tables } from "../routing/table.ts";

export type { Request, Tables };

/** Compiles routing tables into the configuration of one host. It knows nothing of content or pages. */
export interface HostAdapter {
  readonly name: string;
  /** Absent for a program of this machine, to which nothing is published. */
  readonly publishing?: Publishing;
  /** The files of the publish root that the host reads as its configuration, whichever program wrote them. */
  readonly reads?: readonly string[];
  /** The names of those of `files` that hosts read as their configuration. They do not depend on the tables. */
  readonly generates?: readonly string[];
  /** Files of the publish root. */
  readonly files?: (tables: Tables) => readonly OutputFile[];
  /** The files that must not be published. They go into the host's folder beside the publish root. */
  readonly configuration?: (tables: Tables) => readonly OutputFile[];
  /** The files of `configuration` that have to be loaded after a change: deploying does not put them into effect. */
  readonly loads?: (base: string) => readonly string[];
  /** Whether it has no rules: it ignores queries, and answers the paths of files. */
  readonly servesOnlyFiles?: true;
  readonly program?: HostProgram;
  /** Checked before the first write. Beyond a limit, the host refuses or silently drops files. */
  readonly limits?: readonly Limit[];
  /** In the order in which the host applies them: a request that one gap changes goes on to the next. */
  readonly gaps: readonly Gap[];
  /** Assumptions of the configuration that only the host's servers can prove, each as a sentence. */
  readonly unproven?: readonly string[];
}

/** How the repository that `init` writes publishes to the host. A project or server is set up by hand. */
export interface Publishing {
  /** The usual name of the host. */
  readonly title: string;
  /** The texts of the files at the root of the repository, by path. */
  readonly files?: Readonly<Record<string, string>>;
  /** The secrets of the repository that publishing needs, by name, each with its meaning. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The variables of the repository that publishing needs, by name, each with its meaning. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The workflow token's permission for the contents of the repository. */
  readonly permissions?: "write";
  /**
   * The shell commands that publish the folder dist, one a line. The environment holds the secrets and variables, and the
   * digest of the commit as GITHUB_SHA.
   */
  readonly run: (name: string) => readonly string[];
  /** How to set up the host, in Markdown. */
  readonly setUp: (name: string) => string;
  /** The server to which the command `publish` sends releases. Absent for other hosts. */
  readonly server?: PublishedServer;
  /** The bucket to which the command `publish` sends files. Absent for other hosts. */
  readonly bucket?: PublishedBucket;
}

export interface PublishedServer {
  /** The usual command that checks the configuration. */
  readonly check: string;
  /** The usual command that loads it. */
  readonly reload: string;
  /** What the server takes for syntax in the name of a folder, even in quotes. */
  readonly syntax: RegExp;
  /** The file of the configuration that names the folder of the pages. */
  readonly rootFile: (tables: Tables, pages: string) => OutputFile;
}

export interface PublishedBucket {
  /** The key of the list of objects. The configuration maps no request to it. */
  readonly list: string;
  /** The Content-Type and Cache-Control of a file of the publish root. Undefined if the file is not the API's. */
  readonly headers: (table: RoutingTable, file: string) => readonly [string, string] | undefined;
  /** The digest of the configuration, which the stack has as an output. */
  readonly digest: (tables: Tables) => string;
}

/** The measures of files that hosts limit. */
export const fileMeasures = ["files", "files in one folder", "bytes in one file", "bytes in all"] as const;

export type FileMeasure = (typeof fileMeasures)[number];

export interface Limit {
  /** A FileMeasure, or a part of the configuration such as `rules`. */
  readonly what: string;
  readonly max: number;
  /** The plan with this limit, if other plans allow more. The build then warns and does not fail. */
  readonly plan?: string;
  /** The URL of the limit's documentation. */
  readonly source: string;
  readonly used: (build: BuildSize) => Amount;
}

/** A limit of files: `limitOf("files", { max: 200_000, source })`. */
export const limitOf = (what: FileMeasure, limit: Omit<Limit, "what" | "used">): Limit => ({
  ...limit,
  what,
  used: measures[what],
});

const measures: Readonly<Record<FileMeasure, (build: BuildSize) => Amount>> = {
  files: ({ files }) => ({ amount: files }),
  "files in one folder": ({ folder }) => folder,
  "bytes in one file": ({ file }) => file,
  "bytes in all": ({ bytes }) => ({ amount: bytes }),
};

/** The size of a build, by every measure that hosts limit. */
export interface BuildSize {
  readonly files: number;
  readonly bytes: number;
  /** The folder with the most files directly in it, and their number. */
  readonly folder: Amount;
  /** The largest file, and its bytes. */
  readonly file: Amount;
  readonly tables: Tables;
}

export interface Amount {
  readonly amount: number;
  /** The path of the folder or file. */
  readonly name?: string;
}

/** The host's program, with which people try a build on this machine. */
export interface HostProgram {
  /** The name to look up on the PATH, and in node_modules/.bin. */
  readonly command: string;
  /** The command that installs the program, both in a clone of this repository and in a repository of data. */
  readonly install: string;
  /** The differences between the program's answers and the host's, as a clause. */
  readonly differs?: string;
  readonly run: (site: ProgramSite) => {
    /** Written into the site's folder before the program starts. */
    readonly files: readonly OutputFile[];
    readonly args: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  };
}

/** The place in which a program runs. Paths are absolute. */
export interface ProgramSite {
  /** The base of the API; of several, that of the first. */
  readonly base: string;
  /** The bases of the other APIs. */
  readonly others?: readonly string[];
  readonly publishRoot: string;
  /** The folder of the files of `configuration`. */
  readonly configuration: string;
  /** The program's working directory, empty when it starts. */
  readonly folder: string;
  /** The port to listen on, on 127.0.0.1. */
  readonly port: number;
}

/** A request with its right answer. */
export interface AnsweredRequest {
  readonly request: Request;
  readonly answer: Answer;
  /** The parameters of the operation at the path. Empty if there is none. */
  readonly params: readonly Param[];
  readonly table: RoutingTable;
  /** The table of the first API of the build. */
  readonly first: RoutingTable;
}

/** A class of requests that the host cannot answer as the contract says. */
export interface Gap {
  /** The property that the requests share. */
  readonly requests: string;
  /** The host's behaviour. */
  readonly happens: string;
  /** The reason why the host cannot do better. */
  readonly reason: string;
  /** Whether only builds with several APIs have it. */
  readonly isOfSeveral?: true;
  readonly covers: (answered: AnsweredRequest) => boolean;
  /** The request that the host takes it for. The tests expect the right answer to that request. */
  readonly takenFor?: (answered: AnsweredRequest) => Request;
  /**
   * The answer. The tests expect exactly this answer. Without `gives` and `takenFor` they only expect an answer that differs
   * from the contract's.
   */
  readonly gives?: (answered: AnsweredRequest) => ErrorAnswer;
}
