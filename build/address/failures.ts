// The reasons why a request has no answer, in words.
import { MachineError } from "../machine-error.ts";
import { shown } from "../text/quote.ts";

/** Thrown if further requests to the server are pointless. `reason` is the message as a clause. */
export class Unreachable extends MachineError {
  readonly reason: string;
  constructor(reason: string, hint?: string) {
    super(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`, hint);
    this.reason = reason;
  }
}

export interface Failure {
  /** A clause. */
  readonly reason: string;
  readonly hint?: string;
  /** Whether a retry may succeed. */
  readonly mayPass?: boolean;
  /** Whether other requests will fail, too. */
  readonly isFinal?: boolean;
}

const late = /^(?:ETIMEDOUT|ABORT_ERR)$/;

export const isLate = (error: unknown): boolean => late.test(codeOf(error));

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const tls = /^(?:EPROTO|ERR_(?:TLS|SSL)_\w+|CERT_\w+|UNABLE_TO_\w+|\w*SELF_SIGNED_\w+|HOSTNAME_MISMATCH)$/;

const unreachable = { mayPass: true, isFinal: true };

type Row = readonly [code: RegExp, reason: (url: URL, message: string) => string, outlook?: Omit<Failure, "reason">];

/** By the code of the error: from the system, Node's HTTP parser, its decompressors, TLS, or `ask`. */
const failures: readonly Row[] = [
  [late, () => "no data arrived in time", { mayPass: true }],
  [/^(?:ECONNRESET|EPIPE)$/, () => "the connection was closed", { mayPass: true }],
  [
    /^E(?:NOTFOUND|AI_AGAIN)$/,
    ({ hostname }) => `there is no host ${hostname}`,
    { ...unreachable, hint: "Check the URL." },
  ],
  [
    /^ECONNREFUSED$/,
    ({ host }) => `the server at ${host} refuses connections`,
    { ...unreachable, hint: "Is the server running?" },
  ],
  [/^E(?:HOST|NET)UNREACH$/, ({ host }) => `there is no route to ${host}`, unreachable],
  [/^ERR_TOO_LONG$/, () => "the body is too long"],
  [/^ERR_BODY$/, () => "the answer has a body"],
  [/^ERR_ENCODING$/, () => "the body has a Content-Encoding that was not requested"],
  [/^(?:Z_|ERR_.*(?:ERROR_FORMAT|BROTLI))/, () => "the body is not compressed as its Content-Encoding says"],
  [/^HPE_/, () => "the answer is not valid HTTP"],
  [tls, ({ host }, message) => `no secure connection to ${host} is possible: ${message}`, { isFinal: true }],
];

/** Rethrows errors that are not faults of the network or the server. */
export function failureOf(error: unknown, url: URL): Failure {
  const [, reason, outlook] = failures.find(([code]) => code.test(codeOf(error))) ?? [];
  if (reason === undefined || !(error instanceof Error)) throw error;
  return { ...outlook, reason: reason(url, shown(error.message.trim(), 200)) };
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");
