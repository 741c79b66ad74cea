import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Has processes stand still now and then while `work` runs: `still` stops them for so many ms, without ending their connections. They go
 * on afterwards, also if this process is killed meanwhile: what is stopped cannot notice that, and would stay for ever.
 */
export async function standingStill(
  pids: readonly number[],
  work: (still: (ms: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  // In a group of its own, so that it outlives this process: its input ends then, however this process went.
  const guard = spawn('sh', ['-c', 'cat > /dev/null; kill -CONT "$@"', 'sh', ...pids.map(String)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const ended = once(guard, 'exit');
  try {
    await work(async (ms) => {
      try {
        for (const pid of pids) signal(pid, 'SIGSTOP');
        await pause(ms);
      } finally {
        for (const pid of pids) signal(pid, 'SIGCONT');
      }
    });
  } finally {
    guard.stdin.end();
    await ended;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // A connection of PostgreSQL may have ended meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
