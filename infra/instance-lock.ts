import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, Failure } from './failure.ts';
import { takeLock } from './lock-file.ts';
import { checkoutHome } from './paths.ts';

/**
 * Makes this process the only one that runs the product of this checkout, until the returned function is called: two over
 * one database would stop each other's PostgreSQL. Throws `Failure` when another one runs it.
 */
export async function lockInstance(): Promise<() => Promise<void>> {
  try {
    await mkdir(checkoutHome, { recursive: true });
    return await takeLock(join(checkoutHome, 'start.pid'), (pid) => {
      throw new Failure(`Chasqui ya está en marcha desde esta carpeta (proceso ${pid}): deténlo primero con Ctrl-C.`);
    });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`No se puede escribir en ${checkoutHome} (${errorCode(error)}): revisa los permisos.`);
  }
}
