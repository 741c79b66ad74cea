import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { errorCode } from './failure.ts';

/**
 * Takes the lock that the file represents and returns its release function. The lock of a killed process is taken over.
 * While another process holds the lock, `whenHeld` decides: it throws, or waits and returns to retry.
 */
export async function takeLock(
  file: string,
  whenHeld: (pid: number) => Promise<void> | void,
): Promise<() => Promise<void>> {
  const own = `${file}.${process.pid}`;
  // A link appears with its contents; a file that is created may be read while it is still empty.
  await writeFile(own, `${process.pid}\n${await commandLine(process.pid)}`);
  try {
    for (;;) {
      try {
        await link(own, file);
        return () => rm(file, { force: true });
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
      const [number, command] = (await readFile(file, 'utf8').catch(() => '')).split('\n');
      const pid = Number(number);
      // The process that left the file may be gone and its number taken by another program, or by this one.
      const isHeld = pid > 0 && pid !== process.pid && isRunning(pid) && command === (await commandLine(pid));
      if (isHeld) await whenHeld(pid);
      else await rm(file, { force: true });
    }
  } finally {
    await rm(own, { force: true });
  }
}

/** Whether there is a process with this number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It runs as another user.
    return errorCode(error) === 'EPERM';
  }
}

/** Empty where the system does not tell. */
function commandLine(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
}
