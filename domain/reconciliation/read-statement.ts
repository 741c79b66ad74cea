import { Worker } from 'node:worker_threads';
import { type Statement, type StatementFormat, StatementProblem } from './statement.ts';

/** A file of a bank statement that was read. */
export interface StatementFile {
  readonly format: StatementFormat;
  readonly statement: Statement;
  readonly sha256: string;
}

/** What the thread posts; an error would lose its class and line on the way. */
export type ThreadResult =
  | { readonly file: StatementFile }
  | { readonly problem: { readonly line: number | null; readonly reason: string } };

/** What reading one file may take. The largest that is accepted (8 MB) takes some 2 s and fits into half of the memory. */
const defaultLimits = { maxMs: 60_000, maxHeapMb: 256 };

/** From the sources, and from the bundles in dist/api, dist/worker and dist/shared. */
const threadUrl = new URL(
  import.meta.url.endsWith('.ts') ? './statement-thread.ts' : '../domain/reconciliation/statement-thread.js',
  import.meta.url,
);

/** Ends with the file that is being read. One at a time: a second thread would take the processor from requests. */
let lastRead: Promise<unknown> = Promise.resolve();

/** Reads a statement in CSV or camt.053 in a thread, so that a large file delays no other request. @throws StatementProblem */
export function readStatement(file: Uint8Array, limits = defaultLimits): Promise<StatementFile> {
  const read = lastRead.then(() => readInThread(file, limits));
  lastRead = read.catch(() => {});
  return read;
}

async function readInThread(
  file: Uint8Array,
  { maxMs, maxHeapMb }: { maxMs: number; maxHeapMb: number },
): Promise<StatementFile> {
  // A copy that is handed over: cloning the text would take as long as all else that the event loop does here.
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
