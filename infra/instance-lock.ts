import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCode, Failure } from './failure.ts';
import { takeLock } from './lock-file.ts';
import { checkoutHome } from './paths.ts';
import { say } from './terminal.ts';

/**
 * Makes this process the only one that runs the product of this checkout, whose data is in `home`, until the returned function is called: two
 * over one database would stop each other's PostgreSQL. Waits up to `maxWaitMs` for one that is stopping. Throws `Failure` when it keeps running.
 */
export async function lockInstance({ home = checkoutHome, maxWaitMs = 20_000 } = {}): Promise<() => Promise<void>> {
  const startedAt = Date.now();
  let isAnnounced = false;
  try {
    await mkdir(home, { recursive: true });
    return await takeLock(join(home, 'start.pid'), async (pid) => {
      const running = `Chasqui ya está en marcha desde esta carpeta (proceso ${pid})`;
      if (Date.now() - startedAt > maxWaitMs) throw new Failure(`${running}: deténlo primero con Ctrl-C.`);
      if (!isAnnounced) say(`${running}: se espera a que termine…`);
      isAnnounced = true;
      await delay(100);
    });
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(`No se puede escribir en ${home} (${errorCode(error)}): revisa los permisos.`);
  }
}
