import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '#domain/database';
import { ConfigurationError } from '#platform/configuration/configuration-error';
import { connectionProblem, mayComeBack } from '#platform/database/connection-problem';
import { Database } from '#platform/database/database';
import { RuntimeRoleProblem } from '#platform/database/runtime-role';

/** Tries to reach the database, a second apart. A container's server may listen a while after it says that it is ready. */
const triesMax = 10;
const pauseMs = 1_000;

/** What a command cannot do, said in one sentence for the person at the terminal. */
export class CommandRefused extends Error {
  override name = 'CommandRefused';
}

/**
 * Runs a command to its end. What the person at the terminal can put right is written as a sentence without a stack, and the
 * exit code is 1.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isSentence = [ConfigurationError, RuntimeRoleProblem, CommandRefused].some((type) => error instanceof type);
    console.error(isSentence ? (error as Error).message : error);
    process.exitCode = 1;
  }
}

/** Runs `work` with a database, which is waited for. @throws CommandRefused when it cannot be reached. */
export async function withDatabase(
  url: string,
  work: (database: Database) => Promise<void>,
  personalDataKeys: readonly Buffer[] = [],
): Promise<void> {
  const database = await reach(url, personalDataKeys);
  try {
    await work(database);
  } finally {
    await database.close();
  }
}

async function reach(url: string, personalDataKeys: readonly Buffer[]): Promise<Database> {
  for (let tries = 1; ; tries += 1) {
    const database = await openDatabase(url, { poolMax: 2, withoutTimeouts: true, personalDataKeys });
    try {
      await database.fork().execute('select 1');
      return database;
    } catch (error) {
      await database.close();
      const problem = connectionProblem(error, url);
      if (problem === null) throw error;
      if (!mayComeBack(error) || tries === triesMax) throw new CommandRefused(problem);
      console.error(`${problem} Otro intento en ${pauseMs / 1000} s.`);
    }
    await pause(pauseMs);
  }
}
