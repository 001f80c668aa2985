/** The machine, or the way it was asked, is at fault: no content can mend it. The message is for the user. */
export class MachineError extends Error {
  readonly hint: string | undefined;
  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "There is no space left on the disk",
  EDQUOT: "The disk quota is used up",
  EACCES: "Permission is denied",
  EPERM: "The operation is not permitted",
  EROFS: "The file system is read-only",
  ENOENT: "There is no such file or folder",
  ENOTDIR: "A part of the path is a file, not a folder",
  EISDIR: "There is a folder where a file belongs",
  EEXIST: "There is a file where a folder belongs",
  ENOTEMPTY: "There is a folder with something in it where another belongs",
  EXDEV: "A file cannot be moved from one file system to another",
  EBUSY: "Something else is using this file or folder",
  ELOOP: "Links lead in a circle",
  EMFILE: "Too many files are open",
  ENAMETOOLONG: "A file name is too long for this file system",
  EIO: "The disk reports an error",
  EADDRINUSE: "Something else listens on that port",
};

/** An error of the operating system in words; undefined for any other error. */
export function inWords(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string" || !("syscall" in error)) {
    return undefined;
  }
  const reason = reasons[error.code] ?? `The system says ${error.code}`;
  return "path" in error && typeof error.path === "string" ? `${reason}: ${error.path}.` : `${reason}.`;
}

/** Whether it is an error of the operating system with one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && codes.includes(error.code);
