import { Worker } from 'node:worker_threads';
import { type Statement, type StatementFormat, StatementProblem } from './statement.ts';

/** A parsed bank statement file. */
export interface StatementFile {
  readonly format: StatementFormat;
  readonly statement: Statement;
  readonly sha256: string;
}

/** The thread's message; an error would lose its class and line. */
export type ThreadResult =
  | { readonly file: StatementFile }
  | { readonly problem: { readonly line: number | null; readonly reason: string } };

/** Limits for reading one file. The largest accepted one (8 MB) takes about 2 s and half of the memory. */
const defaultLimits = { maxMs: 60_000, maxHeapMb: 256 };

/** In the sources, and in the bundles in dist/api, dist/worker and dist/shared. */
const threadUrl = new URL(
  import.meta.url.endsWith('.ts') ? './statement-thread.ts' : '../domain/reconciliation/statement-thread.js',
  import.meta.url,
);

/** Resolves with the file being read. One at a time, because a second thread would slow down requests. */
let lastRead: Promise<unknown> = Promise.resolve();

/**
 * Reads a statement in CSV or camt.053 in a thread, so that a large file delays no request.
 * @throws StatementProblem
 */
export function readStatement(file: Uint8Array, limits = defaultLimits): Promise<StatementFile> {
  const read = lastRead.then(() => readInThread(file, limits));
  lastRead = read.catch(() => {});
  return read;
}

async function readInThread(
  file: Uint8Array,
  { maxMs, maxHeapMb }: { maxMs: number; maxHeapMb: number },
): Promise<StatementFile> {
  // Transfers a copy of the bytes, because cloning the text would block the event loop as long as everything else here.
  const bytes = new Uint8Array(file);
  const thread = new Worker(threadUrl, {
    workerData: bytes,
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
  const { promise, resolve, reject } = Promise.withResolvers<ThreadResult>();
  const timer = setTimeout(() => reject(new StatementProblem(null, 'the file takes too long to read')), maxMs);
  thread.once('message', resolve);
  thread.once('error', (error: NodeJS.ErrnoException) => {
    const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    reject(isTooLarge ? new StatementProblem(null, 'the file takes too much memory to read') : error);
  });
  thread.once('exit', (code) => reject(new Error(`the thread that reads statements ended with ${code}`)));
  try {
    const result = await promise;
    if ('problem' in result) throw new StatementProblem(result.problem.line, result.problem.reason);
    return result.file;
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}
