/** Ends a command: its message is one Spanish sentence for the person at the terminal, shown without a stack. */
export class Failure extends Error {
  override name = 'Failure';
}

/** The operating system's code of an error (`EACCES`, `EADDRINUSE`), if it has one. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The message of any error in one line, without a full stop. */
export function errorLine(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return errorLine(error.errors[0]);
  const text = error instanceof Error ? error.message || errorCode(error) || error.name : String(error);
  return (text.split('\n')[0] ?? '').replace(/\.$/, '');
}
