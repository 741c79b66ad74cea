import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { ApiConfiguration } from '#platform/configuration/api';
import { eicar, FakeClamd } from '../../infra/testing/fake-clamd.ts';
import { Uploads } from './files.ts';

const fileWith = (text: string) => {
  const data = Buffer.from(`%PDF-1.7\n${text}`).toString('base64');
  return { name: 'recibo.pdf', type: 'application/pdf', data } as const;
};
const uploads = (clamavUrl: string | undefined) =>
  new Uploads({ clamavUrl } as ApiConfiguration, pino({ level: 'silent' }));
const failure = (code: string, problems?: object) =>
  expect.objectContaining({ code, details: problems ? expect.objectContaining({ problems }) : {} });

test('a file is taken only when the virus scanner found it clean, where there is one', async () => {
  const clamd = await FakeClamd.start();
  const { url } = clamd;
  const scanned = uploads(url);
  expect(await scanned.read(fileWith('clean'), 'data')).toMatchObject({ name: 'recibo.pdf', bytes: clamd.files[0] });
  const infected = { proof: { code: 'proof_infected' } };
  await expect(scanned.read(fileWith(eicar), 'proof')).rejects.toEqual(failure('invalid_input', infected));
  clamd.says = 'INSTREAM size limit exceeded. ERROR';
  await expect(scanned.read(fileWith('clean'), 'data')).rejects.toEqual(failure('unavailable'));
  await clamd.close();
  await expect(scanned.read(fileWith('clean'), 'data')).rejects.toEqual(failure('unavailable'));
  expect(await uploads(undefined).read(fileWith(eicar), 'data')).toMatchObject({ type: 'application/pdf' });
});
