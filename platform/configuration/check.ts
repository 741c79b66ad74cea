import { ConfigurationError } from './configuration-error.ts';
import { checkInstallation } from './installation.ts';

/** Command: `npm run configuration:check` says everything that is wrong with the variables of an installation, by name. */
try {
  checkInstallation();
  console.log('The configuration is complete.');
} catch (error) {
  console.error(error instanceof ConfigurationError ? error.message : error);
  process.exitCode = 1;
}
