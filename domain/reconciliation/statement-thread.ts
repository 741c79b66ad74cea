// Worker thread: parses the statement from `read-statement.ts` and posts the result or the problem.
import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { readCamt053 } from './camt053.ts';
import { readCsvStatement } from './csv-statement.ts';
import type { ThreadResult } from './read-statement.ts';
import { StatementProblem } from './statement.ts';

const bytes: Uint8Array<ArrayBuffer> = workerData;
const text = Buffer.from(bytes.buffer).toString('utf8');

function read(): ThreadResult {
  const isXml = text
    .trimStart()
    .replace(/^\uFEFF/, '')
    .startsWith('<');
  try {
    const statement = isXml ? readCamt053(text) : readCsvStatement(text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    return { file: { format: isXml ? 'camt053' : 'csv', statement, sha256 } };
  } catch (error) {
    if (!(error instanceof StatementProblem)) throw error;
    return { problem: { line: error.line, reason: error.message } };
  }
}

parentPort?.postMessage(read());
