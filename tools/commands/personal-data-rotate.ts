import { writeAudit } from '#domain/audit/audit.repository';
import { readPersonalDataConfiguration } from '#platform/configuration/commands';
import { rotateEncryptionKeys } from '../../worker/retention/rotate-encryption-keys.ts';
import { CommandRefused, runCommand, withDatabase } from './command.ts';

/** PostgreSQL's error code. */
const insufficientPrivilege = '42501';
const ownerNeeded =
  'Las claves de datos solo las cambia el dueño de las tablas: da también DATABASE_OWNER_URL, como para npm run migrate.';

/**
 * Command: `npm run personal-data:rotate` re-encrypts identity, account and phone numbers with a new data key, and the
 * data keys with the first key of PERSONAL_DATA_KEY, while everything is running. An interrupted earlier run is
 * finished first. Only the owner of the tables (DATABASE_OWNER_URL) can change data keys.
 */
await runCommand(async () => {
  const { ownerUrl, personalDataKeys } = readPersonalDataConfiguration();
  await withDatabase(
    ownerUrl,
    async (database) => {
      await database.personalData.load();
      const keys = await database.personalData.rewrapKeys().catch((error: { code?: string }) => {
        throw error.code === insufficientPrivilege ? new CommandRefused(ownerNeeded) : error;
      });
      const left = await rotateEncryptionKeys(database);
      if (left === 0) await database.personalData.addKey();
      const rows = left === 0 ? await rotateEncryptionKeys(database) : left;
      const detail = { keys, rows, newKey: left === 0 };
      await database.transaction((em) => writeAudit(em, 'personal_data_rotated', { detail }));
      console.log(
        left === 0
          ? `Clave de datos nueva: ${rows} filas cifradas otra vez. Claves de datos envueltas otra vez: ${keys}.`
          : `Se terminó lo que faltaba: ${rows} filas. Claves de datos envueltas otra vez: ${keys}. Para una clave nueva, ejecútalo de nuevo.`,
      );
    },
    personalDataKeys,
  );
});
