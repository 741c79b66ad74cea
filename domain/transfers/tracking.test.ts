import { expect, test } from 'vitest';
import { Failure } from '#core/contracts/failures';
import { useTransferFixture } from '../../testing/transfer-fixture.ts';
import { makeMove, openTestTransfer, testMoment } from '../../testing/transfers.ts';
import { User } from '../accounts/account.entity.ts';
import { confirmReceived, readTracking, shareTransfer } from './tracking.ts';

const fixture = useTransferFixture();
const notFound = new Failure('not_found');
const target = {
  ...{ name: 'Rosa Condori', ci: '4567890', phone: '+591 71234567', city: 'La Paz' },
  ...{ bankName: 'Banco Unión', bankAccount: '4010-2233-11', address: 'Calle 1' },
};

async function open(): Promise<string> {
  const recipient = { id: null, target } as unknown as Parameters<typeof openTestTransfer>[1]['recipient'];
  const { userId } = fixture;
  return (await fixture.database.transaction(async (em) => openTestTransfer(em, { userId, recipient }))).id;
}
const share = (transferId: string, userId = fixture.userId) =>
  fixture.database.transaction((em) => shareTransfer(em, { userId, transferId, at: testMoment }));
const read = (token: string) => readTracking(fixture.database.fork(), token);
const confirm = (token: string) => fixture.database.transaction((em) => confirmReceived(em, token, testMoment));

test('a transfer has one tracking link, from its payment on and for its sender only', async () => {
  const id = await open();
  await expect(share(id)).rejects.toEqual(notFound);
  await makeMove(fixture.database, id, 'hold');
  await expect(share(id, '0199b2d0-0000-4000-8000-0000000000aa')).rejects.toEqual(notFound);
  const [first, second] = await Promise.all([share(id), share(id)]);
  expect(first.token).toMatch(/^[0-9a-f]{40}$/);
  expect(second).toEqual(first);
  await expect(read(first.token.replace(/.$/, 'x'))).rejects.toEqual(notFound);
});

test('the holder of the link sees amount and time, but neither recipient nor account', async () => {
  const id = await open();
  await makeMove(fixture.database, id, 'hold');
  const { token } = await share(id);
  const view = await read(token);
  expect(view).toMatchObject({
    ...{ sender: 'Lucía', bolivianos: '1291.17', bankName: 'Banco Unión', accountEnding: '3311' },
    ...{ status: 'on_the_way', steps: [{ step: 'received', at: testMoment.toISOString() }], receivedAt: null },
  });
  const { email, name } = await fixture.database.fork().findOneOrFail(User, { id: fixture.userId });
  for (const personal of [id, email, name, 'Rosa', 'Condori', '4567890', '71234567', '4010-2233-11']) {
    expect(JSON.stringify(view)).not.toContain(personal);
  }
  const other = await open();
  await makeMove(fixture.database, other, 'hold');
  await makeMove(fixture.database, other, 'reject', { reason: 'Falta un documento' });
  const stopped = await read((await share(other)).token);
  expect(stopped).toMatchObject({ status: 'stopped', steps: [{ step: 'received' }] });
  expect(JSON.stringify(stopped)).not.toContain('documento');
});

test('the recipient confirms once, after the deposit, and the sender sees it and gets an e-mail', async () => {
  const id = await open();
  for (const move of ['hold', 'approve', 'capture'] as const) await makeMove(fixture.database, id, move);
  const { token } = await share(id);
  expect(await confirm(token)).toMatchObject({ status: 'on_the_way', receivedAt: null });
  await makeMove(fixture.database, id, 'pay_out', { payoutReference: 'BNB-7' });
  const before = await fixture.everythingOf(id);
  const [first, second] = await Promise.all([confirm(token), confirm(token)]);
  expect(first).toMatchObject({ status: 'deposited', receivedAt: testMoment.toISOString() });
  expect(first.steps.map(({ step }) => step)).toEqual(['received', 'approved', 'sent', 'deposited']);
  expect(second).toEqual(first);
  const after = await fixture.everythingOf(id);
  expect(after.transfer).toMatchObject({ version: before.transfer.version + 1, state: 'completed' });
  expect(after.steps.at(-1)).toMatchObject({ move: 'confirm_received', owner: 'family', actorId: null });
  expect(after.outbox.slice(before.outbox.length).map(({ name }) => name)).toEqual(['transfer-changed', 'send-email']);
  expect(after.emails.filter(({ kind }) => kind === 'transfer_received')).toHaveLength(1);
});
