import { Anchor, Button, Popover, Stack, Text } from '@mantine/core';
import { IconArrowRight } from '@tabler/icons-react';
import type { RateManagementView } from '#core/contracts/http/admin-rates';
import type { SendCurrency } from '#core/money/money';
import { DataItem, DataList } from '../../../ui/data-list.tsx';
import { laPazShort, zoneName } from '../la-paz-time.ts';
import { bolivianosText, currentMarginText } from './change-messages.ts';

type Shown = RateManagementView['currencies'][SendCurrency];

/** What a rate is judged by: the market's reference, our margin under it, the best competitor and what we would propose. */
export function Market({
  currency,
  shown: { inForce, reference, bestCompetitor, proposal },
  marginPercent,
  take,
}: {
  currency: SendCurrency;
  shown: Shown;
  marginPercent: string;
  /** Puts the proposal into the field; null while there is no field. */
  take: ((rate: string) => void) | null;
}) {
  const margin = inForce && reference && currentMarginText(inForce.rate, reference.rate);
  return (
    <DataList values="end">
      <DataItem label="Referencia">
        {reference ? (
          <>
            {bolivianosText(reference.rate)}
            <Sources currency={currency} sources={reference.sources} />
          </>
        ) : (
          'Sin datos recientes'
        )}
      </DataItem>
      {margin && <DataItem label="Nuestro margen">{margin}</DataItem>}
      <DataItem label="Mejor competidor">
        {bestCompetitor ? (
          <>
            {bolivianosText(bestCompetitor.rate, 2)}
            <Text span fz="xs" c="dimmed">
              {bestCompetitor.name}
            </Text>
          </>
        ) : (
          'Sin datos en vivo'
        )}
      </DataItem>
      <DataItem label="Propuesta">
        {proposal ? (
          <>
            {bolivianosText(proposal)}
            {take && (
              <Button
                size="compact-sm"
                variant="light"
                rightSection={<IconArrowRight size={16} aria-hidden />}
                onClick={() => take(proposal)}
                aria-label={`Usar la propuesta de ${currency}, ${bolivianosText(proposal)}: referencia menos ${marginPercent.replace('.', ',')} %`}
                data-testid={`admin-rate-proposal-${currency}`}
              >
                Usar
              </Button>
            )}
          </>
        ) : (
          'Sin referencia'
        )}
      </DataItem>
    </DataList>
  );
}

type Source = NonNullable<Shown['reference']>['sources'][number];

function Sources({ currency, sources }: { currency: SendCurrency; sources: readonly Source[] }) {
  return (
    <Popover withArrow shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Anchor
          component="button"
          type="button"
          fz="sm"
          underline="always"
          aria-label={`${countText(sources)} de la referencia de ${currency}`}
          data-testid={`admin-rate-sources-${currency}`}
        >
          {countText(sources)}
        </Anchor>
      </Popover.Target>
      <Popover.Dropdown maw="calc(100vw - 32px)" aria-label={`Fuentes de la referencia de ${currency}`}>
        <Stack gap={6}>
          <Text fz="sm" c="dimmed">
            Mediana de estas fuentes ({zoneName})
          </Text>
          <DataList values="end">
            {sources.map(({ name, rate, observedAt }) => (
              <DataItem key={name} label={name}>
                {bolivianosText(rate)}
                <Text span fz="sm" c="dimmed">
                  {laPazShort(observedAt)}
                </Text>
              </DataItem>
            ))}
          </DataList>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const countText = ({ length }: readonly Source[]) => (length === 1 ? '1 fuente' : `${length} fuentes`);
