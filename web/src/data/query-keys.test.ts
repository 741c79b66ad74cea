import { QueryClient, queryOptions } from '@tanstack/react-query';
import { expect, it } from 'vitest';
import { isPersonal, publicKey, rateKeys, sessionKey } from './query-keys.ts';
import { transferKeys } from './sender-query-keys.ts';

it('a query key that no factory made is refused by the type checker', () => {
  // @ts-expect-error: an array of our own
  queryOptions({ queryKey: ['public', 'rates'], queryFn: () => 1 });
  // @ts-expect-error: an array of our own
  void new QueryClient().invalidateQueries({ queryKey: ['sender', 'transfers'] });
  // @ts-expect-error: part of a factory's key with something added
  new QueryClient().setQueryData([...transferKeys.all, 'one'], 1);
});

it('data of one person are personal, those of everybody and the session itself are not', () => {
  expect([transferKeys.all, transferKeys.one('a')].map(isPersonal)).toEqual([true, true]);
  expect([publicKey, rateKeys.board, sessionKey].map(isPersonal)).toEqual([false, false, false]);
});
