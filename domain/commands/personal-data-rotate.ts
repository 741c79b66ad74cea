import { readPersonalDataConfiguration } from '#platform/configuration/commands';
import { writeAudit } from '../audit/audit.repository.ts';
import { rotateEncryptionKeys } from '../rotate-encryption-keys.ts';
import { runCommand, withDatabase } from './command.ts';

/**
 * Command: `npm run personal-data:rotate` encrypts identity, account and phone numbers with a new data key, and the data keys with the first
 * key of PERSONAL_DATA_KEY, while everything is running. What an earlier run left, or a version before encryption, is finished first.
 */
await runCommand(async () => {
  const { databaseUrl, personalDataKeys } = readPersonalDataConfiguration();
  await withDatabase(
    databaseUrl,
    async (database) => {
      await database.personalData.load();
      const keys = await database.personalData.rewrapKeys();
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
