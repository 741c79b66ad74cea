import { SimpleGrid, Stack, Title, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type FocusEvent, useEffect, useRef } from 'react';
import type { RateManagementView } from '#core/contracts/http/admin-rates';
import { formatRateLine } from '#core/money/format';
import { sendCurrencies } from '#core/money/money';
import { deskQuery } from '../../../data/rate-desk.ts';
import { QueryView } from '../../../ui/query-view.tsx';
import { changeStateWord, limitsOfChange } from './change-messages.ts';
import { OpenChange } from './open-change.tsx';
import { RatePanel } from './rate-panel.tsx';

/** Exchange rates: changes that wait for somebody, what is in force beside the market, and the field for the next one. */
export function RateDesk() {
  const desk = useQuery(deskQuery);
  const open = desk.data ? openChangesOf(desk.data) : [];
  const focus = useFocusKept(open.map(({ id }) => id).join());
  return (
    <section aria-labelledby="rates-title" tabIndex={-1} {...focus} data-testid="admin-rate-desk">
      <Title order={2} id="rates-title" mb="sm">
        Tasas de cambio
      </Title>
      <QueryView query={desk} loading={<Panels desk={null} />}>
        {(data) => <Panels desk={data} />}
      </QueryView>
      <VisuallyHidden role="status">
        {open
          .map(({ state, rate, currency, setBy }) => {
            return `${changeStateWord(state)}: ${formatRateLine(rate, currency)}, pedido por ${setBy}.`;
          })
          .join(' ')}
      </VisuallyHidden>
    </section>
  );
}

function Panels({ desk }: { desk: RateManagementView | null }) {
  return (
    <Stack gap="md">
      {desk &&
        openChangesOf(desk).map((change) => (
          <OpenChange key={change.id} change={change} limits={limitsOfChange(desk, change)} />
        ))}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md" style={{ alignItems: 'start' }}>
        {sendCurrencies.map((currency) => (
          <RatePanel key={currency} currency={currency} desk={desk} />
        ))}
      </SimpleGrid>
    </Stack>
  );
}

const openChangesOf = ({ currencies }: RateManagementView) =>
  sendCurrencies.flatMap((currency) => currencies[currency].openChange ?? []);

/** When a field gives way to a change, or a change goes away, a keyboard that was there stays in this part of the page. */
function useFocusKept(shown: string) {
  const ref = useRef<HTMLElement>(null);
  const inside = useRef(false);
  const before = useRef(shown);
  useEffect(() => {
    if (before.current === shown) return;
    before.current = shown;
    if (inside.current && document.activeElement === document.body) ref.current?.focus({ preventScroll: true });
  }, [shown]);
  return {
    ref,
    onFocus: () => {
      inside.current = true;
    },
    onBlur: (event: FocusEvent) => {
      // Without a next element the focused one went away, or the person clicked beside everything.
      if (event.relatedTarget) inside.current = event.currentTarget.contains(event.relatedTarget);
    },
  };
}
