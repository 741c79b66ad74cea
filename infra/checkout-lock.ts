import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, Failure } from './failure.ts';
import { checkoutHome } from './places.ts';

const lockFile = join(checkoutHome, 'start.pid');

/** Two supervisors over one database would stop each other's PostgreSQL. Throws `Failure` when one is running. */
export async function lockCheckout(): Promise<() => Promise<void>> {
  try {
    await mkdir(checkoutHome, { recursive: true });
  } catch (error) {
    throw new Failure(`No se puede escribir en ${checkoutHome} (${errorCode(error)}): revisa los permisos.`);
  }
  for (;;) {
    try {
      const file = await open(lockFile, 'wx');
      await file.write(String(process.pid));
      await file.close();
      return () => rm(lockFile, { force: true });
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') {
        throw new Failure(`No se puede escribir en ${checkoutHome} (${errorCode(error)}): revisa los permisos.`);
      }
    }
    const holder = Number(await readFile(lockFile, 'utf8').catch(() => '0'));
    if (holder > 0 && (await isSupervisor(holder))) {
      throw new Failure(
        `Chasqui ya está en marcha desde esta carpeta (proceso ${holder}): deténlo primero con Ctrl-C.`,
      );
    }
    await rm(lockFile, { force: true });
  }
}

/** The process that left the file may be gone and its number taken by another program. */
async function isSupervisor(pid: number): Promise<boolean> {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'infra/start.ts');
  return /infra\/(start|dev)\.ts/.test(commandLine);
}
