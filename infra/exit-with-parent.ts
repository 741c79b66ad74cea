// Loaded into every server that a supervisor or a test starts (`node --import`). When that parent is gone, however it
// went, the pipe on standard input closes, with or without an error, and the server shuts down normally.
import { isMainThread } from 'node:worker_threads';

// A thread of the server loads this too, and its own standard input closes when it ends.
if (isMainThread) endWithParent();

function endWithParent(): void {
  process.stdin.on('close', () => {
    process.kill(process.pid, 'SIGTERM');
    // Its database may be gone as well; it must not wait for it for ever.
    setTimeout(() => process.exit(1), 10_000);
  });
  process.stdin.on('error', () => {});
  process.stdin.resume();
  // The pipe alone must not keep a server running that has finished.
  (process.stdin as typeof process.stdin & { unref?: () => void }).unref?.();
}
