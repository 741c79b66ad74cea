import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Lets `work` pause processes: `still` stops them for a number of ms without closing their connections. They resume
 * afterwards, even if this process is killed: a stopped process cannot notice that and would stay forever.
 */
export async function standingStill(
  pids: readonly number[],
  work: (still: (ms: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  // In a separate process group, so that it outlives this process: its input closes however this process ends.
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
    // A PostgreSQL connection process may have ended in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
