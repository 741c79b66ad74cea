import { parseArgs } from 'node:util';
import { Client } from 'pg';
import { hashPassword } from '#domain/accounts/passwords';
import { readScaleConfiguration } from '#platform/configuration/commands';
import { makeScaleData } from '../scale-data/scale-data.ts';
import { CommandRefused, runCommand, withDatabase } from './command.ts';
import { demoAdmin, demoSecondAdmin } from './demo-accounts.ts';

const { values: options } = parseArgs({
  options: {
    transfers: { type: 'string', default: '10000' },
    'of-one': { type: 'string' },
    senders: { type: 'string' },
    observations: { type: 'string' },
    days: { type: 'string', default: '1095' },
    seed: { type: 'string', default: '1' },
    until: { type: 'string' },
  },
});

/**
 * Command: `npm run scale-data` fills a seeded sandbox database with as many transfers as an installation has after
 * years, to measure lists. It is one transaction; a database that already has the data is rejected.
 */
await runCommand(async () => {
  const { databaseUrl, ownerUrl, demoPassword, personalDataKeys } = readScaleConfiguration();
  const transfers = wholeNumber('transfers');
  const given = {
    ...{ transfers, days: wholeNumber('days'), seed: wholeNumber('seed') },
    ofOne: options['of-one'] === undefined ? Math.floor(transfers / 2) : wholeNumber('of-one', 0),
    senders: options.senders === undefined ? Math.max(3, Math.floor(transfers / 10)) : wholeNumber('senders', 3),
    observations: options.observations === undefined ? transfers * 5 : wholeNumber('observations', 40),
    until: options.until === undefined ? new Date() : new Date(options.until),
  };
  if (given.ofOne > transfers) throw new CommandRefused('--of-one son de los de --transfers: no pueden ser más.');
  await withDatabase(
    databaseUrl,
    async (database) => {
      await database.personalData.load();
      const client = new Client({ connectionString: ownerUrl });
      await client.connect();
      try {
        const passwordHash = await hashPassword(demoPassword);
        const admins = [demoAdmin.email, demoSecondAdmin.email] as const;
        const making = { ...given, em: database.fork() };
        await makeScaleData(client, making, { passwordHash, admins, say: (line) => console.log(line) });
      } finally {
        await client.end();
      }
    },
    personalDataKeys,
  );
});

function wholeNumber(name: keyof typeof options, least = 1): number {
  const value = Number(options[name]);
  if (!Number.isSafeInteger(value) || value < least) throw new CommandRefused(`--${name} es un número desde ${least}.`);
  return value;
}
