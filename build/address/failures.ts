// The reasons why a request has no answer, in words.
import { hasCode, MachineError } from "../machine-error.ts";
import { shown } from "../text/quote.ts";

/** Thrown if further requests to the server are pointless. `reason` is the message as a clause. */
export class Unreachable extends MachineError {
  readonly reason: string;
  constructor(reason: string, hint?: string) {
    super(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`, hint);
    this.reason = reason;
  }
}

export interface AddressFailure {
  /** A clause. */
  readonly reason: string;
  readonly hint?: string;
  /** Whether a retry may succeed. */
  readonly mayPass?: true;
  /** Whether other requests will fail, too. */
  readonly isFinal?: true;
  readonly isLate?: true;
}

/** Rethrows errors that are not faults of the network or the server. */
export function failureOf(error: unknown, { protocol, host, hostname }: URL): AddressFailure {
  if (!(error instanceof Error)) throw error;
  if (hasCode(error, "ETIMEDOUT", "ABORT_ERR") || error.name === "TimeoutError") {
    return { reason: "no data arrived in time", mayPass: true, isLate: true };
  }
  if (hasCode(error, "ECONNRESET", "EPIPE")) return { reason: "the connection was closed", mayPass: true };
  if (hasCode(error, "ERR_TOO_LONG")) return { reason: "the body is too long" };
  const unreachable = { mayPass: true, isFinal: true } as const;
  if (hasCode(error, "ENOTFOUND", "EAI_AGAIN")) {
    return { ...unreachable, reason: `there is no host ${hostname}`, hint: "Check the URL." };
  }
  if (hasCode(error, "ECONNREFUSED")) {
    return { ...unreachable, reason: `the server at ${host} refuses connections`, hint: "Is the server running?" };
  }
  if (hasCode(error, "EHOSTUNREACH", "ENETUNREACH")) return { ...unreachable, reason: `there is no route to ${host}` };
  if (protocol === "https:" && isOfTls(error)) {
    const reason = shown(error.message.trim(), 200);
    return { reason: `no secure connection to ${host} is possible: ${reason}`, isFinal: true };
  }
  const reason = "code" in error && typeof error.code === "string" ? inHttp(error.code) : undefined;
  if (reason === undefined) throw error;
  return { reason };
}

/** https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const isOfTls = (error: Error): boolean =>
  "code" in error &&
  typeof error.code === "string" &&
  /^(?:EPROTO|ERR_(?:TLS|SSL)_\w+|CERT_\w+|UNABLE_TO_\w+|\w*SELF_SIGNED_\w+|HOSTNAME_MISMATCH)$/.test(error.code);

/** Errors of Node's HTTP parser and decompressors, and addresses that it refuses to request. */
function inHttp(code: string): string | undefined {
  if (code === "ERR_UNESCAPED_CHARACTERS") return "the address contains characters that are invalid in a request";
  if (code === "ERR_INVALID_CHAR") return "a header contains characters that are invalid in a request";
  if (code.startsWith("HPE_")) return "the answer is not valid HTTP";
  if (code === "ERR_ENCODING") return "the body has a Content-Encoding that was not requested";
  if (/^(?:Z_|ERR_.*(?:ERROR_FORMAT|BROTLI))/.test(code))
    return "the body is not compressed as its Content-Encoding says";
  return undefined;
}
