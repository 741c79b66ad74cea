import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '#domain/database';
import { ConfigurationError } from '#platform/configuration/configuration-error';
import { connectionProblem, mayComeBack } from '#platform/database/connection-problem';
import { Database } from '#platform/database/database';
import { MigrationRefused } from '#platform/database/migrations/migration-2026-11-27-baseline';
import { RuntimeRoleProblem } from '#platform/database/runtime-role';

/** Attempts to reach the database, a second apart. A container's server may report ready before it listens. */
const triesMax = 10;
const pauseMs = 1_000;

/** A failure that a command reports in one sentence to the person at the terminal. */
export class CommandRefused extends Error {
  override name = 'CommandRefused';
}

/**
 * Runs a command to its end. Failures that the person at the terminal can fix are printed as a sentence without a
 * stack, with exit code 1.
 */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isSentence = [ConfigurationError, MigrationRefused, RuntimeRoleProblem, CommandRefused].some(
      (type) => error instanceof type,
    );
    console.error(isSentence ? (error as Error).message : error);
    process.exitCode = 1;
  }
}

/** Runs `work` with a database, after waiting for it. @throws CommandRefused when it cannot be reached. */
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
