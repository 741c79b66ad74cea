/** Says in one message why the database cannot be used, or null for an error that is not about reaching it. Names host and
 * port only: connection strings hold passwords. */
export function connectionProblem(error: unknown, databaseUrl: string): string | null {
  const code = errorCodeOf(error);
  if (code === undefined) return null;
  const { host } = new URL(databaseUrl);
  if (isUnreachable(code)) return `La base de datos en ${host} no responde (${code}).`;
  if (code === '28P01' || code === '28000') return `La base de datos en ${host} no acepta el usuario o la contraseña.`;
  if (code === '3D000') return `La base de datos de DATABASE_URL no existe en ${host}.`;
  return null;
}

/** Whether another try may succeed: the port is still closed, or the server is still starting. */
export function mayComeBack(error: unknown): boolean {
  const code = errorCodeOf(error);
  return code !== undefined && isUnreachable(code);
}

/** The operating system's or PostgreSQL's code of an error or of what caused it. */
export function errorCodeOf(error: unknown): string | undefined {
  if (error instanceof AggregateError && error.errors.length > 0) return errorCodeOf(error.errors[0]);
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : errorCodeOf(error.cause);
}

/** Codes of the operating system (`ECONNREFUSED`), of broken connections (class 08) and of a starting server (57P03). */
function isUnreachable(code: string): boolean {
  return code.startsWith('E') || code.startsWith('08') || code === '57P03';
}
