import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it } from 'vitest';
import type { TransferView } from '#core/contracts/http/transfers';
import { transferQuery, transfersQuery, underWayQuery, writeTransfer } from './transfers.ts';

const all = transfersQuery({ search: '', status: '' }).queryKey;
const completedOnly = transfersQuery({ search: '', status: 'completed' }).queryKey;
const pendingOnly = transfersQuery({ search: '', status: 'pending' }).queryKey;
let number = 0;
let id = '';
const view = (version: number, status = 'pending') => ({ id, version, status }) as TransferView;
const listed = (client: QueryClient) => client.getQueryData(all)?.pages.flatMap((page) => page.items);

beforeEach(() => {
  number += 1;
  id = `transfer-${number}`;
});

function clientShowing(...items: TransferView[]): QueryClient {
  const client = new QueryClient();
  client.setQueryData(all, { pages: [{ items, nextCursor: null }], pageParams: [''] });
  client.setQueryData(pendingOnly, { pages: [{ items, nextCursor: null }], pageParams: [''] });
  return client;
}

it('a pushed transfer replaces its row, and an older view that arrives later does not', () => {
  const client = clientShowing(view(2));
  writeTransfer(client, view(3, 'completed'));
  writeTransfer(client, view(2));
  expect(listed(client)).toEqual([view(3, 'completed')]);
  expect(client.getQueryData(transferQuery(id).queryKey)).toEqual(view(3, 'completed'));
});

it('a pushed transfer that is not listed yet comes on top', () => {
  const client = clientShowing({ ...view(1), id: 'older' });
  writeTransfer(client, view(1));
  expect(listed(client)?.map((item) => item.id)).toEqual([id, 'older']);
});

it('a pushed transfer leaves and enters the lists of a status', () => {
  const client = clientShowing(view(1));
  client.setQueryData(completedOnly, { pages: [{ items: [], nextCursor: null }], pageParams: [''] });
  writeTransfer(client, view(2, 'completed'));
  expect(client.getQueryData(pendingOnly)?.pages[0]?.items).toEqual([]);
  expect(client.getQueryData(completedOnly)?.pages[0]?.items).toEqual([view(2, 'completed')]);
});

it('a transfer is under way from its payment to its end, and again when it is reopened', () => {
  const client = new QueryClient();
  client.setQueryData(underWayQuery.queryKey, { pages: [{ items: [], nextCursor: null }], pageParams: [] });
  const ids = () => client.getQueryData(underWayQuery.queryKey)?.pages[0]?.items.map((item) => item.id);
  const steps = [
    ['awaiting_payment', false],
    ['in_review', true],
    ['captured', true],
    ['completed', false],
    ['payout_failed', true],
    ['refunding', true],
    ['refunded', false],
  ] as const;
  for (const [version, [state, underWay]] of steps.entries()) {
    writeTransfer(client, { ...view(version), state } as TransferView);
    expect([state, ids()]).toEqual([state, underWay ? [id] : []]);
  }
});
