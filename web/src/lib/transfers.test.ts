import { QueryClient } from '@tanstack/react-query';
import { beforeEach, expect, it } from 'vitest';
import type { TransferView } from '#core/contracts/http/transfers';
import { transferQuery, transfersQuery, writeTransfer } from './transfers.ts';

const all = transfersQuery({ search: '', status: '' }).queryKey;
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

it('turns the row over when a push arrives, once and for all', () => {
  const client = clientShowing(view(2));
  writeTransfer(client, view(3, 'completed'));
  writeTransfer(client, view(2));
  expect(listed(client)).toEqual([view(3, 'completed')]);
  expect(client.getQueryData(transferQuery(id).queryKey)).toEqual(view(3, 'completed'));
});

it('puts a transfer that is not listed yet on top', () => {
  const client = clientShowing({ ...view(1), id: 'older' });
  writeTransfer(client, view(1));
  expect(listed(client)?.map((item) => item.id)).toEqual([id, 'older']);
});

it('asks the server again what belongs under a filter', () => {
  const client = clientShowing(view(1));
  writeTransfer(client, view(2, 'completed'));
  expect(client.getQueryState(pendingOnly)?.isInvalidated).toBe(true);
  expect(client.getQueryState(all)?.isInvalidated).toBe(false);
});
