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

it('a pushed transfer makes a filtered list load again', () => {
  const client = clientShowing(view(1));
  writeTransfer(client, view(2, 'completed'));
  expect(client.getQueryState(pendingOnly)?.isInvalidated).toBe(true);
  expect(client.getQueryState(all)?.isInvalidated).toBe(false);
});
