import { readApiConfiguration } from './api.ts';
import { readMigrateConfiguration, readSeedConfiguration } from './commands.ts';
import { ConfigurationError, type Variables } from './configuration-error.ts';
import { findSharedKeys, variablesOf } from './secrets.ts';
import { readWorkerConfiguration } from './worker.ts';

/**
 * Reads the variables of a whole installation as each of its processes will, so that all problems are known before any
 * of them starts. @throws ConfigurationError with the problems of all of them.
 */
export function checkInstallation(source: Variables = process.env): void {
  const readers: ((source: Variables) => unknown)[] = [
    readMigrateConfiguration,
    (variables) => readApiConfiguration(variablesOf('api', variables)),
    (variables) => readWorkerConfiguration(variablesOf('worker', variables)),
  ];
  if (source.CHASQUI_MODE === 'sandbox') readers.push(readSeedConfiguration);
  const problems = new Set(findSharedKeys(source).map(({ variable, reason }) => `${variable} ${reason}`));
  for (const read of readers) {
    try {
      read(source);
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      for (const problem of error.problems) problems.add(problem);
    }
  }
  const { INSTALLATION_REAL: real, INSTALLATION_DEMO: demo } = source;
  if (real && demo)
    problems.add(`${real} must not be given together with ${demo}: the sandbox and real money are two installations`);
  if (problems.size > 0) throw new ConfigurationError([...problems]);
}
