import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it } from 'vitest';
import type { TransferView } from '#core/contracts/http/transfers';
import { transferQuery, transfersQuery, waitingForRecipientQuery, writeTransfer } from './transfers.ts';

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

it('a transfer whose recipient was chosen leaves those that wait for one', () => {
  const client = new QueryClient();
  const waiting = { ...view(1), recipientId: null, state: 'in_review' } as TransferView;
  client.setQueryData(waitingForRecipientQuery.queryKey, { pages: [{ items: [], nextCursor: null }], pageParams: [] });
  const ids = () => client.getQueryData(waitingForRecipientQuery.queryKey)?.pages[0]?.items.map((item) => item.id);
  writeTransfer(client, waiting);
  expect(ids()).toEqual([id]);
  writeTransfer(client, { ...waiting, version: 2, recipientId: 'c3b7d2f4-8a55-4d2c-9a53-1d7c0f6b2e02' });
  expect(ids()).toEqual([]);
});
