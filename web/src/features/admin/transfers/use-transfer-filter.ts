import { useDebouncedValue } from '@mantine/hooks';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';
import { adminTransferParam, adminTransferViews } from '#core/contracts/page-addresses';
import { parseMinor, sendCurrencies } from '#core/money/money';
import { transferStatusNames } from '#core/transfers/states';
import type { AdminTransferFilter } from '../../../data/admin-panel.ts';
import { useDraft } from '../../../data/drafts.ts';

const searchPauseMs = 250;

const oneOf = (values: readonly string[]) => (value: string) => values.includes(value);
const isDay = (value: string) => /^20\d\d-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
const isAmount = (value: string) => (parseMinor(value) ?? 0n) > 0n;

/** What may stand in the address: a mistyped part narrows nothing. */
const parts = {
  view: oneOf(adminTransferViews),
  status: oneOf(transferStatusNames),
  from: isDay,
  to: isDay,
  currency: oneOf(sendCurrencies),
  least: isAmount,
  most: isAmount,
  bank: (value) => value.length <= 100,
  sender: (value) => /^[0-9a-f-]{36}$/.test(value),
} satisfies Record<Exclude<keyof AdminTransferFilter, 'search'>, (value: string) => boolean>;

const names = Object.keys(parts) as (keyof typeof parts)[];

/** View, filters and open transfer live in the address: they survive a reload and can be sent to a colleague. Names stay out of it. */
export function useTransferFilter() {
  const [params, setParams] = useSearchParams();
  const [search, setSearch] = useDraft('search for transfers', '');
  const [settled] = useDebouncedValue(search.trim(), searchPauseMs);
  const change = useCallback(
    (values: Readonly<Record<string, string | null | undefined>>) =>
      setParams(
        (known) => {
          const next = new URLSearchParams(known);
          for (const [name, value] of Object.entries(values)) {
            if (value) next.set(name, value);
            else next.delete(name);
          }
          return next;
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParams],
  );
  const written = params.toString();
  const narrowing = useMemo(() => readFilter(new URLSearchParams(written)), [written]);
  return {
    search,
    setSearch,
    /** What the address says, without the search. */
    narrowing,
    narrow: useCallback((next: AdminTransferFilter) => change({ ...next }), [change]),
    clear: useCallback(() => {
      setSearch('');
      change(Object.fromEntries(names.map((name) => [name, null])));
    }, [change, setSearch]),
    filter: useMemo<AdminTransferFilter>(
      () => ({ ...narrowing, ...(settled && { search: settled }) }),
      [narrowing, settled],
    ),
    openId: params.get(adminTransferParam),
    setOpenId: useCallback((id: string | null) => change({ [adminTransferParam]: id }), [change]),
  };
}

function readFilter(params: URLSearchParams): AdminTransferFilter {
  const taken = names.flatMap((name) => {
    const value = params.get(name);
    return value && parts[name](value) ? [[name, value] as const] : [];
  });
  const read = Object.fromEntries(taken) as AdminTransferFilter;
  // Reversed, nothing could pass: the later part is left out.
  const { from, to, least, most } = read;
  return {
    ...read,
    ...(from && to && to < from && { to: undefined }),
    ...(least && most && (parseMinor(most) ?? 0n) < (parseMinor(least) ?? 0n) && { most: undefined }),
  };
}
